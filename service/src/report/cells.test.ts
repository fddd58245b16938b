import { segmentsOf } from '@marque/decoder';
import * as fc from 'fast-check';
import type { TProperties, TSchema } from 'typebox';
import { expect, test } from 'vitest';

import { VehicleReport } from './schema.ts';
import { csvLine } from '../kernel/csv/csv.ts';
import { cellsOf, lineWriter, REPORT_COLUMNS, sharedLineWriter } from './cells.ts';
import { decoder } from '../testing/decoder.ts';

const vin = '1HGCM82633A004352';
const segments = { vin, ...segmentsOf(vin), validFormat: true, bodyStyleNormalized: 'coupe' };

function leavesIn(properties: TProperties, prefix = ''): string[] {
  return Object.entries<TSchema & { properties?: TProperties }>(properties).flatMap(([name, { properties: inner }]) =>
    inner === undefined ? [prefix + name] : leavesIn(inner, `${prefix}${name}.`),
  );
}

test('every field of a report has a column', () => {
  expect(['vin', ...REPORT_COLUMNS].toSorted()).toEqual(leavesIn(VehicleReport.properties).toSorted());
});

test('a cell with a comma, a quote, a line end or what others take for a delimiter is quoted', () => {
  const report = { ...segments, model: 'A, "B"\nC', possibleBodyStyles: ['X', 'Y'] };
  expect(csvLine(cellsOf(report, ['model', 'possibleBodyStyles']), ',')).toBe('"A, ""B""\nC","X; Y"\r\n');
});

test('numbers and booleans are plain, missing values are empty', () => {
  const report = { ...segments, specs: { powerKw: 179 } };
  expect(cellsOf(report, ['specs.powerKw', 'validFormat', 'specs.engine', 'trim'])).toEqual(['179', 'true', '', '']);
});

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])(
  'text that a spreadsheet would run is disarmed: %j',
  (text) => {
    expect(csvLine(cellsOf({ vin: text }, ['vin']), ',')).toMatch(/^"?'/);
  },
);

test('a written line has the same cells, also when its texts have come before', () => {
  const columns = ['error', ...REPORT_COLUMNS];
  const write = lineWriter(columns, ';');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme-ascii' }),
      fc.double(),
      (model, engine, powerKw) => {
        const report = { ...segments, vis: engine, model, error: engine, specs: { engine: model, powerKw } };
        for (let time = 0; time < 2; time++) expect(write(report)).toBe(csvLine(cellsOf(report, columns), ';'));
      },
    ),
  );
  expect(write({})).toBe(csvLine(cellsOf({}, columns), ';'));
});

test('VINs that share a report get the line that each gets alone, with the segments of their own', () => {
  const columns = ['error', ...REPORT_COLUMNS];
  const [ofShared, ofReport] = [sharedLineWriter(columns, ','), lineWriter(columns, ',')];
  const starts = ['1HGCM8263', 'WVWZZZ1JZ', 'WDB963403', 'SA9ABC123', 'XXXXXXXXX'];
  for (const start of starts) {
    for (const rest of ['3A004352', '3A004353', '4A777777', '3A9ZZ352']) {
      const sent = start + rest;
      expect(Buffer.from(ofShared(decoder.shared(sent), sent)).toString()).toBe(ofReport(decoder.decode(sent)));
    }
  }
});
