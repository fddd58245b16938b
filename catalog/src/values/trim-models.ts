import { once, readTable } from './table.ts';

const rows = once(() =>
  [...readTable('trim-models.csv', ['make', 'model', 'trim', 'people'], 3, (text) => text).values()].map((row) => ({
    make: row.make,
    model: row.model,
    people: row.people,
    pattern: new RegExp(row.trim, 'i'),
  })),
);

/**
 * A trim that people call a model of its own: an "Outback" of vPIC's Legacy is an Outback. Undefined for all others;
 * `of` is the model that vPIC must have given.
 */
export function modelOfTrim(make: string, trim: string): { of: string; model: string } | undefined {
  const row = rows().find((entry) => entry.make === make && entry.pattern.test(trim));
  return row && { of: row.model, model: row.people };
}
