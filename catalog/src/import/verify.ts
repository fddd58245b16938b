import { readFileSync } from 'node:fs';

import { openCatalog, type VpicRow } from '@marque/decoder';

import { csvRecords } from '../csv.ts';

/** A VIN and NHTSA's answer for it. */
export interface KnownVin {
  vin: string;
  make: string;
  model: string;
  modelYear: string;
}

const ELEMENT = { make: 26, model: 28, modelYear: 29 } as const;
/** NHTSA may have corrected some since the list was made; data that is broken gets nearly all of them wrong. */
const LEAST_RIGHT = 0.75;

/** Reads the list of known VINs. */
export function readKnownVins(file: URL): KnownVin[] {
  return csvRecords(readFileSync(file, 'utf8'), file).map((row) => ({
    vin: row['vin'] ?? '',
    make: row['make'] ?? '',
    model: row['model'] ?? '',
    modelYear: row['model_year'] ?? '',
  }));
}

/** Opens a new catalog and decodes known VINs with it. Returns its fault, in a sentence; else undefined. */
export function faultOf(catalog: Uint8Array, known: readonly KnownVin[]): string | undefined {
  const decoder = openCatalog(catalog);
  const wrong = known.filter((vin) => !agrees(decoder.vpic(vin.vin), vin));
  if (known.length - wrong.length >= known.length * LEAST_RIGHT) return undefined;
  const vins = wrong.map(({ vin }) => vin).join(', ');
  return `${wrong.length} of ${known.length} known VINs decode wrongly with it: ${vins}.`;
}

function agrees(rows: readonly VpicRow[], { make, model, modelYear }: KnownVin): boolean {
  const values = new Map(rows.map(([element, value]) => [element, value]));
  return (
    values.get(ELEMENT.make) === make &&
    values.get(ELEMENT.model) === model &&
    values.get(ELEMENT.modelYear) === modelYear
  );
}
