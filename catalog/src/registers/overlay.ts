import { createHash } from 'node:crypto';

import type { CatalogSource } from '@marque/decoder';
import { OVERLAY, writeContainer } from '@marque/decoder/format';

import { CAR_REGISTERS, type CarRegisterName } from '../../sources/registers/index.ts';
import { compileApprovals } from '../approvals/compile.ts';
import type { ApprovalSource } from '../approvals/load.ts';
import type { Sections } from '../binary/sections.ts';
import { StringTable } from '../binary/string-table.ts';
import { compileWmis } from '../wmi/wmis.ts';
import { compileWorld } from '../world/compile.ts';
import type { Merged } from './merge.ts';

/** The largest number of combinations of registers; each row refers to one. */
const MOST_SOURCES = 255;

/** Returns true if a word names a register of single cars. */
export function isCarRegister(name: string): name is CarRegisterName {
  return Object.hasOwn(CAR_REGISTERS, name);
}

/**
 * Compiles what registers teach together, for `withOverlay` of the decoder.
 *
 * @param imported the registers with the day of their import (UTC), for the list of sources
 */
export function compileRegisters(
  { rows }: Merged,
  imported: readonly { register: string; imported: string }[],
): Uint8Array {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileWmis([], [], compileWorld([], strings, sections), strings, sections);
  const sources = [...Map.groupBy(rows, ({ registers }) => registers.join('+'))].map(([id, own]): ApprovalSource => {
    const title = id.split('+').map(titleOf).join(', ');
    return { id, title, market: 'europe', rows: own.map(({ row }) => row) };
  });
  if (sources.length > MOST_SOURCES)
    throw new RangeError('There are more combinations of registers than can be told apart.');
  compileApprovals(sources, strings, sections, 'registers');
  const listed = imported.map(({ register, imported: day }): CatalogSource => {
    return { id: register, title: titleOf(register), imported: day };
  });
  const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  const meta = { kind: OVERLAY, hash, worldRows: 0, registerRows: rows.length, sources: JSON.stringify(listed) };
  return writeContainer(meta, new Map([...strings.sections(), ...sections]));
}

function titleOf(name: string): string {
  return isCarRegister(name) ? CAR_REGISTERS[name].title : name;
}
