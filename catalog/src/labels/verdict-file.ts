import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../csv.ts';
import { CATALOG_ROOT } from '../root.ts';
import type { Field } from './compare.ts';

/** The side that is wrong if a decode and a label differ, and the reason. */
export interface KnownVerdict {
  verdict: string;
  why: string;
}

const VERDICTS = join(CATALOG_ROOT, 'facts', 'labelled', 'verdicts.csv');

/** Positions by which a verdict names a VIN. */
const NAMED = 11;

/**
 * Verdicts on wrong answers, kept by hand in facts/labelled/verdicts.csv; `verdictOf` finds the one for a VIN's field.
 */
export type VerdictFile = ReadonlyMap<string, KnownVerdict>;

/** Reads the file. */
export function readVerdicts(): VerdictFile {
  const rows = csvRecords(readFileSync(VERDICTS, 'utf8'), VERDICTS);
  return new Map(rows.map(({ vin, field, verdict = '', why = '' }) => [`${vin}:${field}`, { verdict, why }]));
}

/** Returns the verdict on a VIN's field; undefined if there is none. */
export function verdictOf(verdicts: VerdictFile, vin: string, field: Field): KnownVerdict | undefined {
  return verdicts.get(`${vin.slice(0, NAMED)}:${field}`);
}
