import { Container, openWorld, writeContainer } from '@marque/decoder/format';

import type { Sections } from '../../binary/sections.ts';
import { StringTable } from '../../binary/string-table.ts';
import { compileRegions } from '../../wmi/regions.ts';
import { compileWmis, type WmiRow } from '../../wmi/wmis.ts';
import { compileWorld } from '../compile.ts';
import type { VinLayout } from '../model.ts';

/** Returns a function that reads VINs by compiled layouts alone. */
export function compiledFacts(
  layouts: readonly VinLayout[],
  wmis: readonly WmiRow[],
  year: number,
): ReturnType<typeof openWorld> {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileRegions([], strings, sections);
  compileWmis(wmis, [], compileWorld(layouts, strings, sections), strings, sections);
  return openWorld(new Container(writeContainer({}, new Map([...strings.sections(), ...sections]))), year);
}
