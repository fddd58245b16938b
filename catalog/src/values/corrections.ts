import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import { csvLines } from '../csv.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once, valuesFolder } from './table.ts';
import { wordOf } from './words.ts';

/** The cars that a correction applies to; empty texts and zeros set no condition. */
interface Circumstances {
  make: string;
  model: string;
  /** Model years; 0 is open. */
  from: number;
  to: number;
  /** Characters of the VIN, position and characters: "7=A 8=N". */
  vin: string;
  /** A pattern that the trim, or else the badge, must fit; case does not count. */
  text: string;
}

/** The name under which people know a car that NHTSA's tables name otherwise. */
export interface NameCorrection extends Circumstances {
  rightMake: string;
  /** "{code}": the badge or load class; empty: the name settles no model. */
  rightModel: string;
}

/** The body that people see where NHTSA's class is a legal one or wrong. */
export interface BodyCorrection extends Circumstances {
  /** The style that vPIC's class gives; another one stays. */
  instead: BodyStyle;
  body: BodyStyle;
  label: string;
}

const CIRCUMSTANCES = ['make', 'model', 'from', 'to', 'vin', 'text'] as const;

/** facts/values/corrected-names.csv. The first row that fits a car holds. */
export const nameCorrections = once((): NameCorrection[] =>
  read('corrected-names.csv', ['rightMake', 'rightModel', 'source'], (at) => ({
    rightMake: at('rightMake'),
    rightModel: at('rightModel'),
  })),
);

/** facts/values/corrected-bodies.csv, of cars under their right names. The first row that fits a car holds. */
export const bodyCorrections = once((): BodyCorrection[] =>
  read('corrected-bodies.csv', ['vpic', 'body', 'label', 'source'], (at) => ({
    instead: wordOf(BODY_STYLES, at('vpic')),
    body: wordOf(BODY_STYLES, at('body')),
    label: at('label'),
  })),
);

function read<Right extends object>(
  file: string,
  rest: readonly string[],
  right: (at: (column: string) => string) => Right,
): (Circumstances & Right)[] {
  const [head, ...lines] = csvLines(readFileSync(join(valuesFolder(), file), 'utf8'));
  const columns = [...CIRCUMSTANCES, ...rest];
  if (head?.join() !== columns.join()) throw new Error(`${file}: the columns must be ${columns.join()}`);
  return lines.map((fields, index) => {
    const where = `${file}:${index + 2}`;
    if (fields.length !== columns.length) throw new Error(`${where}: ${fields.length} fields, not ${columns.length}`);
    const at = (column: string): string => fields[columns.indexOf(column)] ?? '';
    if (at('make') === '' || at('model') === '' || at('source') === '') {
      throw new Error(`${where}: make, model and source are needed`);
    }
    if (!/^(?:[4-8]=[A-HJ-NPR-Z0-9]+(?: (?=[4-8])|$))*$/.test(at('vin'))) {
      throw new Error(`${where}: "${at('vin')}" names no characters of a VIN: positions 4 to 8, as "7=A 8=N"`);
    }
    void new RegExp(at('text'));
    const car: Circumstances = {
      make: at('make'),
      model: at('model'),
      from: Number(at('from')),
      to: Number(at('to')),
      vin: at('vin'),
      text: at('text'),
    };
    return Object.assign(car, right(at));
  });
}
