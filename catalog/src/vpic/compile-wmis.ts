import type { StringTable } from '../compile/string-table.ts';
import { putDistinct, type Sections } from '../compile/sections.ts';
import type { VpicTables } from './tables.ts';

const OPEN_YEAR = 2999;
const PUBLISHED = 1;

/** Writes vPIC's WMIs in the order of their text, each with its links to schemas. */
export function compileWmis(tables: VpicTables, strings: StringTable, sections: Sections): void {
  const schemaIndex = new Map([...tables.schemas.keys()].map((schema, index) => [schema, index]));
  const linksOf = Map.groupBy(tables.links, (link) => link.wmiId);
  const wmis = tables.wmis.toSorted((a, b) => (a.wmi < b.wmi ? -1 : 1));
  const code = new Uint32Array(wmis.length);
  const type = new Uint8Array(wmis.length);
  const truck = new Uint8Array(wmis.length);
  const flags = new Uint8Array(wmis.length);
  const manufacturer = new Uint32Array(wmis.length);
  const manufacturerId = new Uint32Array(wmis.length);
  const days = new Uint16Array(wmis.length * 3);
  const makesStart = new Uint32Array(wmis.length + 1);
  const makes: number[] = [];
  const linkStart = new Uint32Array(wmis.length + 1);
  const links: { schema: number; from: number; to: number }[] = [];
  for (const [index, wmi] of wmis.entries()) {
    code[index] = strings.id(wmi.wmi);
    type[index] = wmi.vehicleType;
    truck[index] = wmi.truckType;
    flags[index] = wmi.published ? PUBLISHED : 0;
    manufacturer[index] = strings.id(wmi.manufacturer);
    manufacturerId[index] = wmi.manufacturerId;
    days.set([wmi.created, wmi.updated, wmi.available], index * 3);
    makes.push(...wmi.makes.map((make) => strings.id(make)));
    makesStart[index + 1] = makes.length;
    for (const { schemaId, yearFrom, yearTo } of linksOf.get(wmi.id) ?? []) {
      const schema = schemaIndex.get(schemaId);
      if (schema !== undefined) links.push({ schema, from: yearFrom, to: yearTo ?? OPEN_YEAR });
    }
    linkStart[index + 1] = links.length;
  }
  sections.set('vpic.wmi.code', code);
  sections.set('vpic.wmi.type', type);
  sections.set('vpic.wmi.truck', truck);
  sections.set('vpic.wmi.flags', flags);
  sections.set('vpic.wmi.manufacturer', manufacturer);
  sections.set('vpic.wmi.manufacturerId', manufacturerId);
  sections.set('vpic.wmi.days', days);
  putDistinct(
    sections,
    'vpic.wmi.country',
    wmis.map((wmi) => strings.id(wmi.country)),
  );
  sections.set('vpic.wmi.makesStart', makesStart);
  sections.set('vpic.wmi.makes', Uint32Array.from(makes));
  sections.set('vpic.wmi.links', linkStart);
  sections.set(
    'vpic.link.schema',
    Uint16Array.from(links, (link) => link.schema),
  );
  sections.set(
    'vpic.link.from',
    Uint16Array.from(links, (link) => link.from),
  );
  sections.set(
    'vpic.link.to',
    Uint16Array.from(links, (link) => link.to),
  );
}
