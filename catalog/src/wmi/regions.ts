import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../csv.ts';
import { FACTS_ROOT } from '../root.ts';
import type { Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';

const REGIONS = join(FACTS_ROOT, 'regions.csv');

/** The order of characters in ISO 3780's country ranges: letters first, zero last. */
const RANGE_ORDER = 'ABCDEFGHJKLMNPRSTUVWXYZ1234567890';
const CODES = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The region of a first character, where no country has its second one (ISO 3780). */
const REGION_OF_FIRST: readonly (readonly [characters: string, region: string])[] = [
  ['ABCDEFG', 'Africa'],
  ['HJKLMNPR', 'Asia'],
  ['STUVWXYZ', 'Europe'],
  ['123457', 'North America'],
  ['6', 'Oceania'],
  ['89', 'South America'],
];

/** A range of first two characters and the country it is given to. */
export interface RegionRow {
  from: string;
  to: string;
  country: string;
  iso2: string;
  region: string;
}

/** Reads facts/regions.csv. */
export function readRegions(file: URL | string = REGIONS): RegionRow[] {
  return csvRecords(readFileSync(file, 'utf8'), file).map((row) => ({
    from: row['from'] ?? '',
    to: row['to'] ?? '',
    country: row['country'] ?? '',
    iso2: row['iso2'] ?? '',
    region: row['region'] ?? '',
  }));
}

/** Writes region and country by the first two characters. If ranges overlap, the first in the file applies. */
export function compileRegions(rows: readonly RegionRow[], strings: StringTable, sections: Sections): void {
  const region = new Uint32Array(CODES.length ** 2);
  const country = new Uint32Array(CODES.length ** 2);
  for (const first of RANGE_ORDER) {
    const fallback = REGION_OF_FIRST.find(([characters]) => characters.includes(first))?.[1] ?? '';
    for (const second of RANGE_ORDER) {
      const row = rows.find((candidate) => covers(candidate, first, second));
      const cell = CODES.indexOf(first) * CODES.length + CODES.indexOf(second);
      region[cell] = strings.id(row?.region ?? fallback);
      country[cell] = strings.id(row?.country ?? '');
    }
  }
  sections.set('region.name', region);
  sections.set('region.country', country);
}

function covers(row: RegionRow, first: string, second: string): boolean {
  const at = order(first + second);
  return at >= order(row.from) && at <= order(row.to);
}

function order(text: string): number {
  return RANGE_ORDER.indexOf(text.charAt(0)) * RANGE_ORDER.length + RANGE_ORDER.indexOf(text.charAt(1));
}
