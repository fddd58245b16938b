import { checkDigitOf } from '@marque/decoder';

import { type CharacterSet, parseKey, type ParsedKey } from '../vpic/keys.ts';
import type { VpicTables, WmiRow } from '../vpic/tables.ts';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
/** The numbers of columns of a key at positions 4 to 8, then 10 and 11. */
const COLUMNS = 7;
const YEAR_COLUMN = 5;

/** NHTSA's numbers of vehicle types whose cycle position 7 gives; for trucks, only of type 1. */
const CAR = 2;
const TRUCK = 3;
const MULTIPURPOSE = 7;
const LIGHT = 1;

/** A VIN all of whose characters a maker filed with NHTSA for a model year. */
export interface FiledVin {
  vin: string;
  year: number;
}

/**
 * Returns true if position 7 does not decide between the two years of a WMI's vehicles: motorcycles, heavy trucks,
 * buses, trailers.
 */
function hasTwoCycles({ vehicleType, truckType }: WmiRow): boolean {
  return vehicleType !== CAR && vehicleType !== MULTIPURPOSE && !(vehicleType === TRUCK && truckType === LIGHT);
}

/**
 * Yields one VIN for each such WMI and model year in which NHTSA has schemas of it: a random key of these, and random
 * characters that some key allows elsewhere.
 *
 * @param pick a random whole number below its argument.
 */
export function* filedVins(tables: VpicTables, latest: number, pick: (below: number) => number): Generator<FiledVin> {
  const keys = keysBySchema(tables);
  const links = Map.groupBy(tables.links, ({ wmiId }) => wmiId);
  const ofText = Map.groupBy(tables.wmis, ({ wmi }) => wmi);
  const known = new Map<string, Filed>();
  // NHTSA has some WMIs twice, with other schemas each.
  for (const wmi of tables.wmis.filter((one) => hasTwoCycles(one) && ofText.get(one.wmi)?.length === 1)) {
    for (let year = FIRST_YEAR; year <= latest; year++) {
      const schemas = (links.get(wmi.id) ?? []).filter(
        ({ yearFrom, yearTo }) => year >= yearFrom && year <= (yearTo ?? latest),
      );
      const ids = schemas.map(({ schemaId }) => schemaId);
      const filed = known.get(ids.join()) ?? filedIn(ids.flatMap((id) => keys.get(id) ?? []));
      known.set(ids.join(), filed);
      const key = filed.keys[pick(filed.keys.length)];
      if (key !== undefined) yield { vin: spell(wmi.wmi, year, cellsOf(filed, key), pick), year };
    }
  }
}

/** The keys of a WMI's schemas in a year, and for each column the characters that any of them allows; "" is any. */
interface Filed {
  keys: readonly ParsedKey[];
  cells: readonly string[];
}

function filedIn(keys: readonly ParsedKey[]): Filed {
  const cells = Array.from({ length: COLUMNS }, () => new Set<string>());
  for (const { tokens } of keys) {
    for (const { column, set } of tokens) for (const character of charactersOf(set)) cells[column]?.add(character);
  }
  return { keys, cells: cells.map((cell) => [...cell].join('')) };
}

/**
 * Yields VINs that have a key of a schema, and the year before the first or after the last in which NHTSA uses the
 * schema with the WMI: of one in so many uses.
 *
 * @param pick a random whole number below its argument.
 */
export function* vinsOutsideSchemas(
  tables: VpicTables,
  latest: number,
  pick: (below: number) => number,
  oneOf: number,
): Generator<FiledVin> {
  const drawn = tables.links.filter(() => pick(oneOf) === 0);
  const keys = keysBySchema(tables, new Set(drawn.map(({ schemaId }) => schemaId)));
  const wmis = new Map(tables.wmis.map((wmi) => [wmi.id, wmi]));
  for (const { wmiId, schemaId, yearFrom, yearTo } of drawn) {
    const wmi = wmis.get(wmiId);
    const filed = filedIn(keys.get(schemaId) ?? []);
    if (wmi === undefined) continue;
    for (const year of [yearFrom - 1, (yearTo ?? latest) + 1]) {
      if (year < FIRST_YEAR || year > latest) continue;
      const key = filed.keys[pick(filed.keys.length)];
      if (key !== undefined) yield { vin: spell(wmi.wmi, year, cellsOf(filed, key), pick), year };
    }
  }
}

function keysBySchema({ patterns }: VpicTables, wanted?: ReadonlySet<number>): Map<number, ParsedKey[]> {
  const texts = new Map<number, Set<string>>();
  for (let row = 0; row < patterns.count; row++) {
    const schema = patterns.schema[row] ?? 0;
    if (wanted?.has(schema) === false) continue;
    const known = texts.get(schema) ?? new Set<string>();
    texts.set(schema, known.add(patterns.key[row] ?? ''));
  }
  return new Map([...texts].map(([schema, found]) => [schema, [...found].map(parseKey).filter(mayMatch)]));
}

/** Returns true if some VIN may match a key: some of NHTSA's are malformed, or ask for an O. */
function mayMatch({ tokens }: ParsedKey): boolean {
  return tokens.every(({ set }) => charactersOf(set) !== '');
}

/** Returns the characters of each column: those of the key, else those that any key allows; "" is any. */
function cellsOf({ cells }: Filed, key: ParsedKey): string[] {
  const own = [...cells];
  for (const { column, set } of key.tokens) if (column < COLUMNS) own[column] = charactersOf(set);
  return own;
}

/** The characters of each set that was asked for, by its bits. */
const spelled = new Map<number, string>();

function charactersOf({ low, high }: CharacterSet): string {
  // 36 characters: both halves fit into one exact number.
  const bits = (high >>> 0) * 2 ** 32 + (low >>> 0);
  let characters = spelled.get(bits);
  if (characters === undefined) {
    const holds = (code: number): boolean => ((code < 32 ? low >>> code : high >>> (code - 32)) & 1) === 1;
    characters = [...CHARACTERS].filter((character, code) => !'IOQ'.includes(character) && holds(code)).join('');
    spelled.set(bits, characters);
  }
  return characters;
}

function spell(wmi: string, year: number, cells: readonly string[], pick: (below: number) => number): string {
  const at = (column: number): string => {
    const cell = cells[column] === '' ? CHARACTERS.replace(/[IOQ]/g, '') : (cells[column] ?? '');
    return cell.charAt(pick(cell.length));
  };
  const start = wmi.slice(0, 3) + [0, 1, 2, 3, 4].map(at).join('');
  const serial = String(pick(1_000_000)).padStart(6, '0');
  const code = YEARS.charAt((year - FIRST_YEAR) % YEARS.length);
  const end = code + at(YEAR_COLUMN + 1) + (wmi.length > 3 ? wmi.slice(3) + serial.slice(3) : serial);
  return start + checkDigitOf(`${start}0${end}`) + end;
}
