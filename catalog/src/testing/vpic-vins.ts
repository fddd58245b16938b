import { checkDigitOf } from '@marque/decoder';

import { parseKey, type CharacterSet } from '../vpic/keys.ts';
import type { LinkRow, VpicTables } from '../vpic/tables.ts';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';
/** NHTSA's numbers of passenger cars, trucks and multipurpose vehicles. */
const LIGHT = new Set([2, 3, 7]);
const MODEL = 28;
const TRIM = 38;
const DESCRIBING = [MODEL, 5, TRIM, 34, 18, 9, 13, 15];
const COLUMNS = 7;

/**
 * Generates VINs that fit NHTSA's rows, one a model of each schema and its first WMI of these makes, and one a trim:
 * combinations of the rows, without a labeled VIN. The same tables give the same VINs.
 */
export function* vpicVins(tables: VpicTables, makes: ReadonlySet<string>): Generator<string> {
  const rows = rowsBySchema(tables);
  const wmis = new Map(tables.wmis.map((wmi) => [wmi.id, wmi]));
  const seen = new Set<number>();
  const trims = new Set<string>();
  let pick = 0;
  for (const link of tables.links) {
    const wmi = wmis.get(link.wmiId);
    const ofSchema = rows.get(link.schemaId);
    if (wmi === undefined || ofSchema === undefined || !LIGHT.has(wmi.vehicleType) || wmi.wmi.length !== 3) continue;
    if (!wmi.makes.some((make) => makes.has(make.toUpperCase()))) continue;
    if (seen.has(link.schemaId)) continue;
    seen.add(link.schemaId);
    for (const row of [...(ofSchema.get(MODEL) ?? []), ...unseenTrims(tables, ofSchema, trims)]) {
      const cells = narrow(
        Array.from({ length: COLUMNS }, () => ''),
        tables.patterns.key[row] ?? '',
      );
      if (cells === undefined) continue;
      const filled = DESCRIBING.reduce((known, element) => {
        const keys = ofSchema.get(element) ?? [];
        const key = keys[pick++ % Math.max(1, keys.length)];
        return key === undefined ? known : (narrow(known, tables.patterns.key[key] ?? '') ?? known);
      }, cells);
      const vin = spell(wmi.wmi, filled, yearOf(link), pick);
      if (!/[IOQ]/.test(vin)) yield vin;
    }
  }
}

/** Returns the first row of each trim that no schema before had. */
function unseenTrims({ patterns }: VpicTables, ofSchema: ReadonlyMap<number, number[]>, seen: Set<string>): number[] {
  return (ofSchema.get(TRIM) ?? []).filter((row) => {
    const trim = (patterns.attribute[row] ?? '').trim().toLowerCase();
    return !seen.has(trim) && seen.add(trim);
  });
}

function rowsBySchema({ patterns }: VpicTables): Map<number, Map<number, number[]>> {
  const schemas = new Map<number, Map<number, number[]>>();
  for (let row = 0; row < patterns.count; row++) {
    const schema = patterns.schema[row] ?? 0;
    const elements = schemas.get(schema) ?? new Map<number, number[]>();
    schemas.set(schema, elements);
    const element = patterns.element[row] ?? 0;
    const list = elements.get(element);
    if (list === undefined) elements.set(element, [row]);
    else list.push(row);
  }
  return schemas;
}

function yearOf({ yearFrom, yearTo }: LinkRow): number {
  return Math.min(yearTo ?? 2026, Math.max(yearFrom, 1981) + 1, 2026);
}

/**
 * Returns the characters that each column may have ("" is any) once a key is added; undefined where the key
 * contradicts.
 */
function narrow(cells: readonly string[], key: string): string[] | undefined {
  const next = [...cells];
  for (const { column, set } of parseKey(key).tokens) {
    if (column >= COLUMNS) return undefined;
    const allowed = charactersOf(set);
    const cell = next[column] ?? '';
    const both = cell === '' ? allowed : [...cell].filter((character) => allowed.includes(character)).join('');
    if (both === '') return undefined;
    next[column] = both;
  }
  return next;
}

function charactersOf({ low, high }: CharacterSet): string {
  return [...CHARACTERS]
    .filter(
      (character, code) => !'IOQ'.includes(character) && ((code < 32 ? low >>> code : high >>> (code - 32)) & 1) === 1,
    )
    .join('');
}

function spell(wmi: string, cells: readonly string[], year: number, pick: number): string {
  const at = (column: number): string => {
    const cell = cells[column] ?? '';
    return cell === '' ? (column === 6 ? 'A' : '1') : cell.charAt(pick % cell.length);
  };
  const start = `${wmi}${[0, 1, 2, 3, 4].map(at).join('')}`;
  const end = `${YEARS.charAt((year - 1980) % YEARS.length)}${at(6)}100001`;
  return `${start}${checkDigitOf(`${start}0${end}`)}${end}`;
}
