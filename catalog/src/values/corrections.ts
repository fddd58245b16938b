import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import { csvLines } from '../csv.ts';
import { patternFault } from '../vin-pattern.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once, valuesFolder } from './table.ts';
import { wordOf } from './words.ts';

/** The cars that a correction applies to; empty texts and zeros set no condition. */
interface Circumstances {
  make: string;
  /** "*": all of the make, of rows about values only. */
  model: string;
  /** Model years; 0 is open. */
  from: number;
  to: number;
  /** The characters that the VIN must have, as a pattern from position 1 on: "......AN". */
  vin: string;
  /** A pattern that the trim, or else the badge, must fit; case does not count. */
  text: string;
}

/** The name under which people know a car that NHTSA's tables name otherwise. */
export interface NameCorrection extends Circumstances {
  rightMake: string;
  /** "{code}": the badge or load class; empty: the name gives no model. */
  rightModel: string;
}

/** A value that NHTSA's row has wrong. */
export interface ValueCorrection extends Circumstances {
  field: (typeof VALUE_FIELDS)[number];
  /** The wrong value; another one stays. */
  instead: string;
  right: string;
}

/** The body that people see where NHTSA's class is a legal one or wrong. */
export interface BodyCorrection extends Circumstances {
  /** The style that vPIC's class gives; another one stays. */
  instead: BodyStyle;
  body: BodyStyle;
  label: string;
}

/** The fields of a draft that a row may correct as they are. */
const VALUE_FIELDS = [
  'displacementCc',
  'cylinders',
  'configuration',
  'engineModel',
  'modelCode',
  'powerKw',
  'fuelType',
  'plantCity',
  'trim',
] as const;

const FILE = 'corrections.csv';
const COLUMNS = [
  'make',
  'model',
  'from',
  'to',
  'vin',
  'text',
  'field',
  'vpic',
  'right',
  'right_make',
  'label',
  'reason',
] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Rows about names. The first that fits a car applies. */
export const nameCorrections = once((): NameCorrection[] =>
  rowsOf('name').map((row) => Object.assign(carOf(row), { rightMake: row.right_make, rightModel: row.right })),
);

/** Rows about bodies, of cars under their right names. The first that fits a car applies. */
export const bodyCorrections = once((): BodyCorrection[] =>
  rowsOf('body').map((row) =>
    Object.assign(carOf(row), {
      instead: wordOf(BODY_STYLES, row.vpic),
      body: wordOf(BODY_STYLES, row.right),
      label: row.label,
    }),
  ),
);

/** Rows about other values, of cars under their right names. */
export const valueCorrections = once((): ValueCorrection[] =>
  VALUE_FIELDS.flatMap((field) =>
    rowsOf(field).map((row) => Object.assign(carOf(row), { field, instead: row.vpic, right: row.right })),
  ),
);

function rowsOf(field: string): Row[] {
  return read().filter((row) => row.field === field);
}

/** facts/values/corrections.csv. */
const read = once((): Row[] => {
  const [head, ...lines] = csvLines(readFileSync(join(valuesFolder(), FILE), 'utf8'));
  if (head?.join() !== COLUMNS.join()) throw new Error(`${FILE}: the columns must be ${COLUMNS.join()}`);
  return lines.map((fields, index) => {
    const where = `${FILE}:${index + 2}`;
    if (fields.length !== COLUMNS.length) throw new Error(`${where}: ${fields.length} fields, not ${COLUMNS.length}`);
    const row = Object.fromEntries(COLUMNS.map((column, at) => [column, fields[at] ?? ''])) as Row;
    if (row.make === '' || row.model === '' || row.reason === '') {
      throw new Error(`${where}: make, model and reason are needed`);
    }
    if (!['name', 'body', ...VALUE_FIELDS].includes(row.field)) {
      throw new Error(`${where}: "${row.field}" is none of name, body, ${VALUE_FIELDS.join(', ')}`);
    }
    const fault = row.vin === '' ? undefined : patternFault(row.vin, 4, 11);
    if (fault !== undefined) throw new Error(`${where}: ${fault}`);
    void new RegExp(row.text);
    return row;
  });
});

function carOf({ make, model, from, to, vin, text }: Row): Circumstances {
  return { make, model, from: Number(from), to: Number(to), vin, text };
}
