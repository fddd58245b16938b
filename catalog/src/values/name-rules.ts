import { BODY_STYLES } from '@marque/decoder';
import type { BadgeRewrite, DriveName, FuelName } from '@marque/decoder/format';

import { once, readTable } from './table.ts';
import { FUEL_TYPES } from './vocabulary.ts';
import { wordOf } from './words.ts';

const COLUMNS = ['make', 'pattern', 'replacement', 'model', 'from', 'to', 'body', 'drive', 'reason'] as const;

/** facts/values/badge-rewrites.csv, in its order. */
export const badgeRewrites = once((): BadgeRewrite[] =>
  Array.from(readTable('badge-rewrites.csv', COLUMNS, 2, (text) => text).values(), (row) => {
    const { make, pattern, replacement, model, from, to, body, drive, reason } = row;
    if (reason === '') throw new Error(`badge-rewrites.csv: ${make}, ${pattern}: the reason is empty`);
    if (drive !== '' && drive !== 'two') throw new Error(`badge-rewrites.csv: drive is "two" or empty, not "${drive}"`);
    if (body !== '') wordOf(BODY_STYLES, body);
    void [new RegExp(pattern), new RegExp(model)];
    return { make, pattern, replacement, model, from: Number(from), to: Number(to), body, drive };
  }),
);

/** facts/values/fuel-names.csv. */
export const fuelNames = once((): FuelName[] =>
  Array.from(readTable('fuel-names.csv', ['make', 'pattern', 'fuel'], 2, (text) => text).values(), (row) => {
    void new RegExp(row.pattern);
    return { make: row.make, pattern: row.pattern, fuel: wordOf(FUEL_TYPES, row.fuel) };
  }),
);

const DRIVES = ['all', 'front', 'rear', 'two'] as const;

/** facts/values/drive-names.csv. */
export const driveNames = once((): DriveName[] =>
  Array.from(readTable('drive-names.csv', ['name', 'drive', 'maker', 'apart']).values(), ({ name, drive, apart }) => {
    if (!/^[A-Za-z0-9-]+$/.test(name)) throw new Error(`drive-names.csv: "${name}" is not letters, digits and hyphens`);
    if (apart !== '' && apart !== 'yes') throw new Error(`drive-names.csv: apart is "yes" or empty, not "${apart}"`);
    return { name, drive: wordOf(DRIVES, drive), apart: apart === 'yes' };
  }),
);
