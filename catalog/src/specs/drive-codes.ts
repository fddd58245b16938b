import { readFileSync } from 'node:fs';

import { fixedPositions, parsePattern } from '@marque/decoder';

import { csvLines } from '../csv.ts';
import { DRIVE_TYPES } from '../values/vocabulary.ts';
import { patternFault } from '../vin-pattern.ts';

/** The gearboxes that a character can mean. */
const GEARBOXES: ReadonlySet<string> = new Set(['Automatic', 'Manual']);
const MEANINGS: ReadonlySet<string> = new Set([...DRIVE_TYPES, ...GEARBOXES]);

/** One character at one position that gives the driven wheels or the gearbox of a North American model. */
export interface DriveCode {
  make: string;
  model: string;
  from: number;
  to: number;
  /** A pattern over the VIN that fixes one of the positions 4 to 8. */
  vin: string;
  /** A drive, "Automatic" or "Manual". */
  says: string;
}

/** Reads facts/specs/drive-codes.csv: one row a model and character. Faults name the line. */
export function readDriveCodes(folder: URL): { codes: DriveCode[]; faults: string[] } {
  const codes: DriveCode[] = [];
  const faults: string[] = [];
  const [, ...lines] = csvLines(readFileSync(new URL('drive-codes.csv', folder), 'utf8'));
  const seen = new Map<string, string>();
  for (const [index, fields] of lines.entries()) {
    const where = `drive-codes.csv:${index + 2}`;
    const [make = '', models = '', fromText = '', toText = '', vin = '', says = ''] = fields;
    const [from, to] = [Number(fromText), Number(toText)];
    if (!MEANINGS.has(says)) faults.push(`${where}: "${says}" is neither a drive nor Automatic or Manual`);
    if (!(from >= 1981 && from <= to)) faults.push(`${where}: the years ${fromText} to ${toText} are none`);
    const fault = patternFault(vin, 4, 8);
    if (fault !== undefined) {
      faults.push(`${where}: ${fault}`);
      continue;
    }
    const sets = parsePattern(vin);
    const [position = 0, ...others] = fixedPositions(sets);
    if (others.length > 0) faults.push(`${where}: "${vin}" fixes several positions, not one`);
    for (const model of models.split('|')) {
      const code = { make, model, from, to, vin, says };
      codes.push(code);
      for (const key of decidedBy(code, position, sets[position - 1] ?? '')) {
        const other = seen.get(key);
        if (other !== undefined && other !== says) faults.push(`${where}: ${key} is both ${other} and ${says}`);
        seen.set(key, says);
      }
    }
  }
  return { codes, faults };
}

/** Yields what a code decides: the drive or the gearbox of a model, by year and character. */
function* decidedBy(
  { make, model, from, to, says }: DriveCode,
  position: number,
  characters: string,
): Generator<string> {
  const what = GEARBOXES.has(says) ? 'gearbox' : 'drive';
  for (const character of characters) {
    for (let year = from; year <= to; year++) yield `${make}|${model}|${year}|${position}|${character}|${what}`;
  }
}
