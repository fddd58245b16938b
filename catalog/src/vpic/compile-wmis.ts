import { OPEN_YEAR } from '@marque/decoder/format';

import type { StringTable } from '../binary/string-table.ts';
import { putDistinct, putNarrow, type Sections } from '../binary/sections.ts';
import type { VpicTables } from './tables.ts';

type Wmi = VpicTables['wmis'][number];

const PUBLISHED = 1;

/** Writes vPIC's WMIs in the order of their text, each with its links to schemas. */
export function compileWmis(tables: VpicTables, strings: StringTable, sections: Sections): void {
  const wmis = tables.wmis.toSorted((a, b) => (a.wmi < b.wmi ? -1 : 1));
  const code = new Uint32Array(wmis.length);
  const type = new Uint8Array(wmis.length);
  const truck = new Uint8Array(wmis.length);
  const flags = new Uint8Array(wmis.length);
  const manufacturer = new Uint32Array(wmis.length);
  const days = new Uint16Array(wmis.length * 3);
  for (const [index, wmi] of wmis.entries()) {
    code[index] = strings.id(wmi.wmi);
    type[index] = wmi.vehicleType;
    truck[index] = wmi.truckType;
    flags[index] = wmi.published ? PUBLISHED : 0;
    manufacturer[index] = strings.id(wmi.manufacturer);
    days.set([wmi.created, wmi.updated, wmi.available], index * 3);
  }
  sections.set('vpic.wmi.code', code);
  sections.set('vpic.wmi.type', type);
  sections.set('vpic.wmi.truck', truck);
  sections.set('vpic.wmi.flags', flags);
  sections.set('vpic.wmi.manufacturer', manufacturer);
  sections.set('vpic.wmi.days', days);
  const narrow = (name: string, valueOf: (wmi: Wmi) => number): void => putNarrow(sections, name, wmis.map(valueOf));
  narrow('vpic.wmi.manufacturerId', ({ manufacturerId }) => manufacturerId);
  narrow('vpic.wmi.makeCount', ({ makes }) => makes.length);
  putDistinct(
    sections,
    'vpic.wmi.country',
    wmis.map(({ country }) => strings.id(country)),
  );
  const makes = wmis.flatMap((wmi) => wmi.makes);
  sections.set(
    'vpic.wmi.makes',
    Uint32Array.from(makes, (make) => strings.id(make)),
  );
  compileLinks(tables, wmis, sections);
}

/** Writes which schemas each WMI uses, and in which years. */
function compileLinks(tables: VpicTables, wmis: readonly Wmi[], sections: Sections): void {
  const schemaIndex = new Map([...tables.schemas.keys()].map((schema, index) => [schema, index]));
  const linksOf = Map.groupBy(tables.links, (link) => link.wmiId);
  const known = wmis.map(({ id }) => (linksOf.get(id) ?? []).filter(({ schemaId }) => schemaIndex.has(schemaId)));
  const links = known.flat();
  putNarrow(
    sections,
    'vpic.wmi.linkCount',
    known.map(({ length }) => length),
  );
  sections.set(
    'vpic.link.schema',
    Uint16Array.from(links, ({ schemaId }) => schemaIndex.get(schemaId) ?? 0),
  );
  sections.set(
    'vpic.link.from',
    Uint16Array.from(links, ({ yearFrom }) => yearFrom),
  );
  sections.set(
    'vpic.link.to',
    Uint16Array.from(links, ({ yearTo }) => yearTo ?? OPEN_YEAR),
  );
}
