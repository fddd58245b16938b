import { readFileSync } from 'node:fs';

import { csvRecords } from '../csv.ts';
import { facts } from '../root.ts';

/** Data that the reduced download lacks and every download shares: from NHTSA's full database, kept in facts/vpic/. */
export interface VpicFacts {
  /** Element values that a vehicle type has by default. */
  defaults: { vehicleType: number; element: number; value: string }[];
  errorCodes: { code: number; weight: number; text: string; additionalText: string }[];
  /** Vehicle descriptors whose model year NHTSA fixed by hand. */
  descriptors: { descriptor: string; modelYear: number }[];
  elements: { element: number; name: string; code: string; weight: number; shown: boolean }[];
  /** Values of the elements that NHTSA looks up, by table, if the download has no such table. */
  lookups: Map<string, Map<string, string>>;
}

/** Reads facts/vpic/*.csv. */
export function readVpicFacts(): VpicFacts {
  const folder = facts('vpic/');
  const read = (name: string): Record<string, string>[] =>
    csvRecords(readFileSync(new URL(name, folder), 'utf8'), `vpic/${name}`);
  return {
    defaults: read('defaults.csv').map((row) => ({
      vehicleType: Number(row['vehicle_type']),
      element: Number(row['element']),
      value: row['value'] ?? '',
    })),
    errorCodes: read('error-codes.csv').map((row) => ({
      code: Number(row['code']),
      weight: Number(row['weight']),
      text: row['text'] ?? '',
      additionalText: row['additional_text'] ?? '',
    })),
    descriptors: read('descriptors.csv').map((row) => ({
      descriptor: row['descriptor'] ?? '',
      modelYear: Number(row['model_year']),
    })),
    elements: read('elements.csv').map((row) => ({
      element: Number(row['element']),
      name: row['name'] ?? '',
      code: row['code'] ?? '',
      weight: Number(row['weight'] ?? 0),
      shown: row['decode'] !== '' && row['private'] !== '1',
    })),
    lookups: new Map(
      [...Map.groupBy(read('lookups.csv'), (row) => row['lookup'] ?? '')].map(([table, rows]) => [
        table,
        new Map(rows.map((row) => [row['id'] ?? '', row['name'] ?? ''])),
      ]),
    ),
  };
}
