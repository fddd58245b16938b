import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../csv.ts';
import type { Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import { FACTS_ROOT } from '../root.ts';
import { readRegions, type RegionRow } from './regions.ts';

const WMIS = join(FACTS_ROOT, 'wmi.csv');
const MAIN_MAKES = join(FACTS_ROOT, 'main-makes.csv');

/** A world manufacturer identifier of 3 characters, or of 6 where the third is 9. */
export interface WmiRow {
  wmi: string;
  /** Makes that use it; with more than one the WMI alone gives none, unless it has a main make. */
  makes: string[];
  /** The make of nearly all vehicles, if several makes use it; absent if there is none. */
  mainMake?: string | undefined;
  manufacturer: string;
  iso2: string;
  vehicleType: string;
  confidence: 'high' | 'medium' | 'low';
  source: string;
}

/** Separates the makes that share a WMI, in a catalog. */
const MAKES_SEPARATOR = ' / ';

/** Reads facts/wmi.csv and the main makes beside it. */
export function readWmis(file: URL | string = WMIS, mainMakes: URL | string = MAIN_MAKES): WmiRow[] {
  const main = new Map(csvRecords(readFileSync(mainMakes, 'utf8'), mainMakes).map(({ wmi, make }) => [wmi, make]));
  const rows = csvRecords(readFileSync(file, 'utf8'), file);
  const seen = new Set<string | undefined>();
  for (const { wmi } of rows) {
    if (seen.has(wmi)) throw new Error(`${String(file)} lists ${wmi} twice.`);
    seen.add(wmi);
  }
  return rows.map((row) => ({
    wmi: row['wmi'] ?? '',
    makes: (row['make'] ?? '').split('/').filter((make) => make !== ''),
    mainMake: main.get(row['wmi']),
    manufacturer: row['manufacturer'] ?? '',
    iso2: row['country'] ?? '',
    vehicleType: row['vehicle_type'] ?? '',
    confidence: row['confidence'] === 'high' || row['confidence'] === 'medium' ? row['confidence'] : 'low',
    source: row['source'] ?? '',
  }));
}

/** Returns the WMIs that several makes use, so that they give none: by facts/wmi.csv or by other rows. */
export function sharedWmis(rows: readonly WmiRow[] = readWmis()): Set<string> {
  return new Set(rows.filter(({ makes }) => makes.length > 1).map(({ wmi }) => wmi));
}

/** Returns the country of each WMI, as facts/regions.csv calls it. */
export function countriesOfWmis(): Map<string, string> {
  const names = new Map(readRegions().map(({ iso2, country }) => [iso2, country]));
  return new Map(readWmis().flatMap(({ wmi, iso2 }) => (iso2 === '' ? [] : [[wmi, names.get(iso2) ?? iso2]])));
}

/** Returns the make that a WMI gives; empty if it gives none. */
function makeOf({ makes, mainMake }: WmiRow): string {
  return mainMake ?? (makes.length === 1 ? (makes[0] ?? '') : '');
}

/**
 * Writes the world's WMIs in the order of their text: make where there is one, or a main one, and it is better than low
 * confidence, country and vehicle type, and the world layouts that lay the WMI's VINs out.
 */
export function compileWmis(
  rows: readonly WmiRow[],
  regions: readonly RegionRow[],
  layoutsOf: ReadonlyMap<string, readonly number[]>,
  strings: StringTable,
  sections: Sections,
): void {
  const countries = new Map(regions.map((row) => [row.iso2, row.country]));
  const known = new Map(rows.map((row) => [row.wmi, row]));
  const all = [...new Set([...known.keys(), ...layoutsOf.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  const layouts: number[] = [];
  const layoutStart = [0];
  for (const wmi of all) {
    layouts.push(...(layoutsOf.get(wmi) ?? []));
    layoutStart.push(layouts.length);
  }
  const column = (text: (row: WmiRow | undefined) => string): Uint32Array =>
    Uint32Array.from(all, (wmi) => strings.id(text(known.get(wmi))));
  sections.set(
    'wmi.code',
    Uint32Array.from(all, (wmi) => strings.id(wmi)),
  );
  sections.set(
    'wmi.make',
    column((row) => (row === undefined || row.confidence === 'low' ? '' : makeOf(row))),
  );
  sections.set(
    'wmi.makes',
    column((row) => (row === undefined || makeOf(row) !== '' ? '' : row.makes.join(MAKES_SEPARATOR))),
  );
  sections.set(
    'wmi.shared',
    Uint8Array.from(all, (wmi) => ((known.get(wmi)?.makes.length ?? 0) > 1 ? 1 : 0)),
  );
  sections.set(
    'wmi.country',
    column((row) => countries.get(row?.iso2 ?? '') ?? ''),
  );
  sections.set(
    'wmi.vehicleType',
    column((row) => (row?.confidence === 'low' ? '' : (row?.vehicleType ?? ''))),
  );
  sections.set(
    'wmi.source',
    column((row) => row?.source ?? ''),
  );
  sections.set('wmi.profileStart', Uint32Array.from(layoutStart));
  sections.set('wmi.profiles', Uint16Array.from(layouts));
}
