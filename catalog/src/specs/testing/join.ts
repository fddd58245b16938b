import { openSpecs, type JoinSpecs, type KnownOfCar, writeContainer } from '@marque/decoder/format';

import type { Sections } from '../../binary/sections.ts';
import { StringTable } from '../../binary/string-table.ts';
import type { SpecRow } from '../columns.ts';
import { compileSpecs } from '../compile.ts';
import type { DriveCode } from '../drive-codes.ts';
import type { SpecSource } from '../load.ts';

/** What a row of a table says of every Civic. */
export const CIVIC = { make: 'Honda', model: 'Civic', from: 2014, to: 2015 };

/** What a VIN tells of one. */
export const civic: KnownOfCar = { make: 'Honda', model: 'Civic', modelYear: 2015 };

/** A list of all cars sold in North America, save for what is said of it. */
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

/** The join with these tables, in the order in which they speak. */
export function joining(sources: SpecSource[], driveCodes: DriveCode[] = []): JoinSpecs {
  const strings = new StringTable();
  const sections: Sections = new Map();
  compileSpecs({ sources, driveCodes }, strings, sections);
  return openSpecs(writeContainer({}, new Map([...strings.sections(), ...sections])));
}

/** The answers alone, by their field. */
export const values = (answers: ReturnType<JoinSpecs>): Record<string, string | number> =>
  Object.fromEntries(answers.map(({ field, value }) => [field, value]));
