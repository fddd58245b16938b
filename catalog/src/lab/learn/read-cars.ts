import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

import { BODY_STYLES } from '@marque/decoder';

import { type Label, type LabeledVin, parseLabeled } from '../../labels/labeled.ts';
import { csvLines } from '../../csv.ts';
import { isVinColumnName } from '../../tables/cells.ts';

/** Columns of a CSV file of labeled cars, with the names that are recognized for each. */
export const CAR_COLUMNS = {
  vin: ['vin'],
  make: ['make', 'manufacturer', 'brand'],
  model: ['model'],
  generation: ['generation'],
  year: ['year', 'model_year', 'modelyear'],
  body: ['body', 'body_style', 'bodystyle'],
  fuel: ['fuel', 'fuel_type', 'fueltype'],
  cc: ['cc', 'displacement', 'displacement_cc', 'displacementcc'],
  kw: ['kw', 'power_kw', 'powerkw'],
  drive: ['drive', 'drive_type', 'drivetype'],
  gearbox: ['gearbox', 'transmission'],
} as const;

export type CarColumn = keyof typeof CAR_COLUMNS;

/** The names that columns have in a file, where they are other than usual. */
export type ColumnNames = Partial<Record<CarColumn, string>>;

/** A line of a file of labeled cars: its VIN as the file has it, and the car, read when it is asked for. */
export interface CarLine {
  vin: string;
  car: () => LabeledVin;
}

/** The column of each field that a CSV file has. */
type Places = Partial<Record<CarColumn, number>> & { vin: number };

/**
 * Reads labeled cars one by one, any number of them: JSONL as in catalog/facts/labelled, or CSV with a header.
 *
 * @throws Error naming the file and the line that cannot be read, or the columns that a CSV file lacks.
 */
export function* readCars(file: string, names: ColumnNames = {}): Generator<CarLine> {
  yield* file.toLowerCase().endsWith('.csv') ? readCsvCars(file, names) : readJsonCars(file);
}

function* readJsonCars(file: string): Generator<CarLine> {
  let number = 0;
  for (const line of linesOf(file)) {
    number++;
    if (line.trim() === '') continue;
    const car = parseLabeled(line, `${file}:${number}`);
    yield { vin: car.vin, car: () => car };
  }
}

function* readCsvCars(file: string, names: ColumnNames): Generator<CarLine> {
  let places: Places | undefined;
  for (const cells of recordsOf(file)) {
    if (places === undefined) places = placesOf(file, cells, names);
    else {
      const known = places;
      yield { vin: (cells[known.vin] ?? '').trim(), car: () => carOf(cells, known) };
    }
  }
}

/** Yields the records of a CSV file. Of a million lines nearly all have no quotes, and need no parser. */
function* recordsOf(file: string): Generator<readonly string[]> {
  let quoted = '';
  for (const line of linesOf(file)) {
    if (quoted === '' && !line.includes('"')) {
      if (line !== '') yield line.split(',');
      continue;
    }
    quoted += quoted === '' ? line : `\n${line}`;
    // After an open quote the record continues in the next line.
    if ((quoted.split('"').length - 1) % 2 === 1) continue;
    yield* csvLines(quoted);
    quoted = '';
  }
  if (quoted !== '') yield* csvLines(quoted);
}

const CHUNK_BYTES = 1 << 20;
const BYTE_ORDER_MARK = '\uFEFF';

/** Yields the lines of a file, read synchronously: a million awaits take longer than the lines. */
function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = '';
    for (let size = readSync(descriptor, chunk); size > 0; size = readSync(descriptor, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, size))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield withoutMarks(line);
    }
    rest += decoder.end();
    if (rest !== '') yield withoutMarks(rest);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes marks that some systems put at the beginning of a file and the end of a line. */
function withoutMarks(line: string): string {
  const start = line.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  return line.slice(start, line.endsWith('\r') ? -1 : undefined);
}

function placesOf(file: string, header: readonly string[], names: ColumnNames): Places {
  const places: Partial<Record<CarColumn, number>> = {};
  const lower = header.map((name) => name.trim().toLowerCase());
  for (const column of Object.keys(CAR_COLUMNS) as CarColumn[]) {
    const given = names[column];
    const place =
      given === undefined
        ? lower.findIndex((name) => (CAR_COLUMNS[column] as readonly string[]).includes(name))
        : lower.indexOf(given.trim().toLowerCase());
    if (place < 0 && given !== undefined) throw new Error(`${file} has no column "${given}".`);
    if (place >= 0) places[column] = place;
  }
  // A header with another delimiter is one cell: it is not the name of a column.
  const named = header.findIndex((name) => !/[;\t|]/.test(name) && isVinColumnName(name));
  const vin = places.vin ?? (named < 0 ? undefined : named);
  if (vin === undefined) {
    throw new Error(`${file} has no column "vin", separated by commas; name it with --column vin=NAME.`);
  }
  return { ...places, vin };
}

function carOf(record: readonly string[], places: Partial<Record<CarColumn, number>>): LabeledVin {
  const cell = (column: CarColumn): string => {
    const place = places[column];
    return place === undefined ? '' : (record[place] ?? '').trim();
  };
  const expected: Label = {};
  const put = <K extends keyof Label>(field: K, value: Label[K], text: string): void => {
    if (text !== '') expected[field] = value;
  };
  put('manufacturer', cell('make'), cell('make'));
  put('model', cell('model'), cell('model'));
  put('generation', cell('generation'), cell('generation'));
  put('modelYear', cell('year'), cell('year'));
  const body = BODY_STYLES.find((style) => style === cell('body').toLowerCase());
  if (body === undefined) put('bodyStyle', cell('body'), cell('body'));
  else expected.bodyStyleNormalized = body;
  put('fuelType', cell('fuel'), cell('fuel'));
  put('driveType', cell('drive'), cell('drive'));
  put('transmission', cell('gearbox'), cell('gearbox'));
  if (Number(cell('cc')) > 0) expected.displacementCc = Number(cell('cc'));
  if (Number(cell('kw')) > 0) expected.powerKw = Number(cell('kw'));
  return { vin: cell('vin'), expected, yearBasis: 'production-or-first-registration' };
}
