import { openSpecs, type JoinSpecs, type KnownOfCar, writeContainer } from '@marque/decoder/format';

import type { Sections } from '../../binary/sections.ts';
import { StringTable } from '../../binary/string-table.ts';
import type { SpecRow } from '../columns.ts';
import { compileSpecs } from '../compile.ts';
import type { DriveCode } from '../drive-codes.ts';
import type { SpecSource } from '../load.ts';

/** The columns of a row that covers every Civic. */
export const CIVIC = { make: 'Honda', model: 'Civic', from: 2014, to: 2015 };

/** The values that the VIN of one gives. */
export const civic: KnownOfCar = { make: 'Honda', model: 'Civic', modelYear: 2015 };

/** Returns a list of all cars sold in North America, except for the given properties. */
export function table(rows: SpecRow[], said: Partial<SpecSource> = {}): SpecSource {
  return {
    id: 'some',
    market: 'north-america',
    basis: 'registered',
    coverage: 'all',
    title: 'Some list',
    rows,
    ...said,
  };
}

/** Returns the join with these tables, in their order of precedence. */
export function joining(sources: SpecSource[], driveCodes: DriveCode[] = []): JoinSpecs {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileSpecs({ sources, driveCodes }, strings, sections);
  return openSpecs(writeContainer({}, new Map([...strings.sections(), ...sections])));
}

/** The answers alone, by their field. */
export const values = (answers: ReturnType<JoinSpecs>): Record<string, string | number> =>
  Object.fromEntries(answers.map(({ field, value }) => [field, value]));
