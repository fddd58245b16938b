import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { parse } from 'csv-parse';

import { type Label, type LabelledVin, parseLabelled } from '../accuracy/labelled.ts';

/** What a column of a CSV file of labelled cars may hold, with the names that are taken for it without being told. */
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

/**
 * Reads labelled cars one by one, however many there are: JSONL as in catalog/facts/labelled, or CSV with a header.
 *
 * @throws Error naming the file and the line that cannot be read, or the columns that a CSV file lacks.
 */
export async function* readCars(file: string, names: ColumnNames = {}): AsyncGenerator<LabelledVin> {
  yield* file.toLowerCase().endsWith('.csv') ? readCsvCars(file, names) : readJsonCars(file);
}

async function* readJsonCars(file: string): AsyncGenerator<LabelledVin> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    if (line.trim() !== '') yield parseLabelled(line, `${file}:${number}`);
  }
}

async function* readCsvCars(file: string, names: ColumnNames): AsyncGenerator<LabelledVin> {
  const records = createReadStream(file).pipe(parse({ bom: true, skip_empty_lines: true, relax_column_count: true }));
  let places: Partial<Record<CarColumn, number>> | undefined;
  for await (const record of records as AsyncIterable<string[]>) {
    if (places === undefined) places = placesOf(file, record, names);
    else yield carOf(record, places);
  }
}

function placesOf(file: string, header: readonly string[], names: ColumnNames): Partial<Record<CarColumn, number>> {
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
  if (places.vin === undefined) throw new Error(`${file} has no column "vin"; name it with --column vin=NAME.`);
  return places;
}

function carOf(record: readonly string[], places: Partial<Record<CarColumn, number>>): LabelledVin {
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
  put('bodyStyle', cell('body'), cell('body'));
  put('fuelType', cell('fuel'), cell('fuel'));
  put('driveType', cell('drive'), cell('drive'));
  put('transmission', cell('gearbox'), cell('gearbox'));
  if (Number(cell('cc')) > 0) expected.displacementCc = Number(cell('cc'));
  if (Number(cell('kw')) > 0) expected.powerKw = Number(cell('kw'));
  return { vin: cell('vin'), expected, yearBasis: 'production-or-first-registration' };
}
