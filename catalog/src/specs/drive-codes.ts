import { readFileSync } from 'node:fs';

import { csvLines } from '../csv.ts';
import { DRIVE_TYPES } from '../values/vocabulary.ts';

/** Characters of a VIN, by the number that the catalog file uses. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** What a character can say. */
const GEARBOXES: ReadonlySet<string> = new Set(['Automatic', 'Manual']);
const MEANINGS: ReadonlySet<string> = new Set([...DRIVE_TYPES, ...GEARBOXES]);

/** One character at one position that tells the driven wheels or the gearbox of a North American model. */
export interface DriveCode {
  make: string;
  model: string;
  from: number;
  to: number;
  /** VIN position, 4 to 8. */
  position: number;
  /** The character's number. */
  code: number;
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
    const [make = '', models = '', fromText = '', toText = '', positionText = '', characters = '', says = ''] = fields;
    const [from, to, position] = [Number(fromText), Number(toText), Number(positionText)];
    if (!MEANINGS.has(says)) faults.push(`${where}: "${says}" is neither a drive nor Automatic or Manual`);
    if (!(position >= 4 && position <= 8)) faults.push(`${where}: position ${positionText} is not within 4 and 8`);
    if (!(from >= 1981 && from <= to)) faults.push(`${where}: the years ${fromText} to ${toText} are none`);
    for (const model of models.split('|')) {
      for (const character of characters) {
        const code = CHARACTERS.indexOf(character);
        if (code < 0) faults.push(`${where}: "${character}" is not a character of VINs`);
        codes.push({ make, model, from, to, position, code, says });
        for (let year = from; year <= to; year++) {
          const key = `${make}|${model}|${year}|${position}|${character}|${GEARBOXES.has(says) ? 'gearbox' : 'drive'}`;
          const other = seen.get(key);
          if (other !== undefined && other !== says) faults.push(`${where}: ${key} is both ${other} and ${says}`);
          seen.set(key, says);
        }
      }
    }
  }
  return { codes, faults };
}
