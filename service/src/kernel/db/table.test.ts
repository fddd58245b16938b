import { expect, test } from 'vitest';

import { migrationsOf } from './migrate.ts';
import { bigint, integer, key, oneOf, table, text } from './table.ts';

const NOTHING = { sqlite: '', postgres: '' };
const STEPS = [
  { name: 'start', ...NOTHING },
  { name: 'colours', ...NOTHING, postgres: 'SELECT 1;' },
];

const CARS = {
  cars: table(
    {
      id: key().primary(),
      garage_id: key().belongsTo('garages'),
      doors: integer().default(5).check('> 0'),
      colour: oneOf('red', 'blue').nullable().since(101),
    },
    { indexes: { cars_garage: '(garage_id)', cars_colour: { on: '(colour)', since: 101 } } },
  ),
  garages: table({ id: key().primary() }),
  visits: table({ car_id: key(), at: bigint() }, { primaryKey: ['car_id', 'at'], withoutRowid: true, since: 101 }),
};

test('a migration creates everything declared as new since its number, on each engine, after the tables that it refers to', () => {
  const lines = migrationsOf(CARS, STEPS).map(({ sqlite, postgres }) => [sqlite, postgres].map(oneLine));
  expect(lines).toEqual([
    [
      'CREATE TABLE garages ( id TEXT PRIMARY KEY ) STRICT; ' +
        'CREATE TABLE cars ( id TEXT PRIMARY KEY, garage_id TEXT NOT NULL REFERENCES garages (id) ON DELETE CASCADE, ' +
        'doors INTEGER NOT NULL DEFAULT 5 CHECK (doors > 0) ) STRICT; CREATE INDEX cars_garage ON cars (garage_id);',
      'CREATE TABLE garages ( id text COLLATE "C" PRIMARY KEY ); ' +
        'CREATE TABLE cars ( id text COLLATE "C" PRIMARY KEY, ' +
        'garage_id text COLLATE "C" NOT NULL REFERENCES garages (id) ON DELETE CASCADE, ' +
        'doors integer NOT NULL DEFAULT 5 CHECK (doors > 0) ); CREATE INDEX cars_garage ON cars (garage_id);',
    ],
    [
      "ALTER TABLE cars ADD COLUMN colour TEXT CHECK (colour IN ('red', 'blue')); " +
        'CREATE INDEX cars_colour ON cars (colour); ' +
        'CREATE TABLE visits ( car_id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (car_id, at) ) STRICT, WITHOUT ROWID;',
      "ALTER TABLE cars ADD COLUMN colour text CHECK (colour IN ('red', 'blue')); " +
        'CREATE INDEX cars_colour ON cars (colour); ' +
        'CREATE TABLE visits ( car_id text COLLATE "C" NOT NULL, at bigint NOT NULL, PRIMARY KEY (car_id, at) ); SELECT 1;',
    ],
  ]);
});

test('a migration is the same in whichever order its tables are declared', () => {
  const turned = Object.fromEntries(Object.entries(CARS).toReversed());
  expect(migrationsOf(turned, STEPS)).toEqual(migrationsOf(CARS, STEPS));
});

test('a reference to a table that no slice declares is found before a database is opened', () => {
  const lost = { visits: table({ car_id: key().references('lorries'), note: text() }) };
  expect(() => migrationsOf(lost, STEPS)).toThrow(/lorries/);
});

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim();
}
