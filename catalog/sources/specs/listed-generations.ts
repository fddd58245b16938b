import { readFileSync } from 'node:fs';

import { csvRecords } from '../../src/csv.ts';
import type { SpecRow } from '../../src/specs/columns.ts';
import { specFactsFolder } from '../../src/specs/load.ts';

/** The generation that a list means by a name. */
export interface ListedGeneration {
  source: string;
  make: string;
  model: string;
  badge: RegExp;
  body: string;
  generation: string;
  /** Characters of the VIN that distinguish the cars of this name from others of the family. */
  vin: string;
}

const FILE = 'listed-generations.csv';

/** Reads facts/specs/listed-generations.csv; an empty badge or body applies to all of the family. */
export function readListedGenerations(): ListedGeneration[] {
  return csvRecords(readFileSync(new URL(FILE, specFactsFolder()), 'utf8'), FILE).map((record) => ({
    source: record['source'] ?? '',
    make: record['make'] ?? '',
    model: record['model'] ?? '',
    badge: new RegExp(record['badge'] ?? ''),
    body: record['body'] ?? '',
    generation: record['generation'] ?? '',
    vin: record['vin'] ?? '',
  }));
}

/**
 * Returns the rows of a list with the generation that it means, where two were on sale or the next came in the list's
 * year.
 */
export function withGenerations(
  rows: readonly SpecRow[],
  source: string,
  known: readonly ListedGeneration[],
): SpecRow[] {
  const families = Map.groupBy(
    known.filter((listed) => listed.source === source),
    ({ make, model }) => `${make}|${model}`,
  );
  return rows.map((row) => {
    const listed = families
      .get(`${row.make}|${row.model}`)
      ?.find(({ badge, body }) => badge.test(row.badge ?? '') && (body === '' || body === row.body));
    if (listed === undefined) return row;
    return { ...row, generation: listed.generation, ...(listed.vin === '' ? {} : { vin: listed.vin }) };
  });
}
