import { expect, test } from 'vitest';

import type { SpecRow } from '../../src/specs/columns.ts';
import { Refusals } from './refused.ts';

const LIST = `source,make,model,badge,from,to,cc,charged,field,value,reason
epa,Jaguar,XK,,2011,2011,5000,0,powerKw,380,the XKR
epa,BMW,6 Series,650i,2017,2017,4400,,powerKw,447,the Alpina B6
vca,BMW,6 Series,650i,2017,2017,4400,,powerKw,447,of another table
`;

const xk: SpecRow = { make: 'Jaguar', model: 'XK', from: 2011, to: 2011, cc: 5000, powerKw: 380 };

test('a refused value goes, and only from the row that the list names', () => {
  const refusals = new Refusals(LIST, 'epa');
  const rows: SpecRow[] = [
    { ...xk },
    { ...xk, charged: 1 },
    { ...xk, from: 2012, to: 2012 },
    { ...xk, cc: 4200 },
    { ...xk, powerKw: 287 },
    { ...xk, make: 'BMW', model: '6 Series', badge: '640i', from: 2017, to: 2017, cc: 4400, powerKw: 447 },
  ];
  for (const row of rows) refusals.apply(row);
  expect(rows.map(({ powerKw }) => powerKw)).toEqual([undefined, 380, 380, 380, 287, 447]);
});

test('a line that refuses nothing is named', () => {
  const refusals = new Refusals(LIST, 'epa');
  refusals.apply({ ...xk });
  expect(refusals.unused()).toEqual([3]);
});

test.each(['power', 'constructor'])('a refusal of a column that does not exist, %s, is refused itself', (column) => {
  expect(() => new Refusals(LIST.replaceAll('powerKw', column), 'epa')).toThrow(
    `refused.csv:2: there is no column "${column}"`,
  );
});
