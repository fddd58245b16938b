import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

import { readVinCell, TableError } from '@marque/catalog/tables';
import { describe, expect, test } from 'vitest';

import { textCell, workbookFile, zipOf } from '../../files/testing/workbook.ts';
import { openWorkbook, readWorkbook } from './workbook-in.ts';
import { formOfCode, numberText } from './xlsx/numbers.ts';
import { openParts } from './xlsx/parts.ts';

const WRITTEN = fileURLToPath(new URL('../../files/testing/written', import.meta.url));
const VINS = ['1HGCM82633A004352', 'WVWZZZ1KZCW000001', 'JTDKN3DU5A0123456', 'WAUZZZ8V5KA012345', '5YJ3E1EA7KF317000'];

/** A cell of text that does not say where it is. */
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

const written = (name: string): Uint8Array => readFileSync(join(WRITTEN, `${name}.xlsx`));

async function rowsOf(bytes: Uint8Array): Promise<string[][]> {
  return (await readWorkbook(bytes, '', 1_000)).rows.map(({ cells }) => cells);
}

/** Returns the column of VINs, below its name. */
async function vinsOf(name: string): Promise<string[]> {
  const rows = await rowsOf(written(name));
  const column = Math.max(...rows.map((cells) => cells.findIndex((cell) => readVinCell(cell).kind === 'vin')));
  return rows.map((cells) => cells[column] ?? '').filter((cell) => readVinCell(cell).kind === 'vin');
}

test.each([
  'exceljs-hidden',
  'exceljs-rich',
  'openpyxl-chartsheet',
  'openpyxl-title',
  'xlsxwriter',
  'xlsxwriter-1904',
  'xlsxwriter-table',
  'write-excel-file',
  'sheetjs',
  'perl',
])('VINs of %s are read, in their order', async (name) => {
  expect(await vinsOf(name)).toEqual(VINS);
});

test('the sheet that was read is named, and the lines are those of the sheet', async () => {
  const { sheet, rows } = await readWorkbook(written('openpyxl-chartsheet'), '', 1_000);
  expect(sheet).toBe('Data');
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
  const title = await readWorkbook(written('openpyxl-title'), '', 1_000);
  expect(title.rows.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8]);
});

test('a hidden sheet is not read, although it comes first and has VINs', async () => {
  const { sheet, rows } = await readWorkbook(written('exceljs-hidden'), '', 1_000);
  expect(sheet).toBe('Cars');
  expect(rows[1]?.cells).toEqual([
    '1',
    'Größe & Söhne',
    VINS[0],
    '12.5',
    '2020-01-10',
    '2020-01-10T13:14:15',
    '9007199254740992',
    'TRUE',
    'a',
  ]);
});

test('a formula without its value is named, and durations are longer than a day', async () => {
  const rows = await rowsOf(written('exceljs-formula'));
  expect(rows.map((cells) => cells[2])).toEqual(['dur', '36:00:00', '60:00:00', '84:00:00', '108:00:00', '132:00:00']);
  expect(rows[3]?.[0]).toBe('="JTDKN"&"3DU5A0123456"');
  expect(readVinCell(rows[3]?.[0] ?? '')).toEqual({
    kind: 'malformed',
    message: expect.stringContaining('has the formula ="JTDKN"&"3DU5A0123456" and not its value.'),
  });
  // A formula that is one text says itself what its value is.
  expect(readVinCell(`="${VINS[0]}"`)).toEqual({ kind: 'vin', vin: VINS[0] });
});

test('days of the calendar from 1904 are those that its program shows', async () => {
  expect((await rowsOf(written('xlsxwriter-1904')))[1]?.[1]).toBe('2021-02-01');
  expect(numberText('0.5', 'time', true)).toBe('12:00:00');
  expect(numberText('2958465.5', 'moment', true)).toBe('2958465.5');
});

test('rows and cells without their places follow one another', async () => {
  const sheet = await workbookFile([[cell('No'), cell('VIN')]], [[cell('1'), cell(VINS[0] ?? '')]]);
  expect(await rowsOf(sheet)).toEqual([['1', VINS[0]]]);
});

test('elements with a prefix are read, as Microsoft’s own library writes them', async () => {
  const bytes = await workbookFile([[textCell('A1', 'VIN')], [textCell('A2', VINS[0] ?? '')]]);
  const { names, textOf } = await openParts(bytes, { bytes: undefined });
  const prefixed: Record<string, string> = {};
  for (const name of names) {
    const part = await text(textOf(name));
    const isMain = /workbook\.xml$|sheet1\.xml$/.test(name);
    prefixed[name] = isMain ? part.replaceAll(/<(\/?)(\w+)/g, '<$1x:$2').replace('xmlns=', 'xmlns:x=') : part;
  }
  expect(await rowsOf(await zipOf(prefixed))).toEqual([['VIN'], [VINS[0]]]);
});

test('a sheet with VINs comes before one that only names them', async () => {
  const names = [[textCell('A1', 'VIN'), textCell('B1', 'Explanation')], [textCell('B2', 'x')]];
  const cars = [[textCell('A1', VINS[0] ?? '')]];
  expect(await rowsOf(await workbookFile(names, cars))).toEqual([[VINS[0]]]);
});

test.each([
  ['content.xml', 'an OpenDocument file (.ods)'],
  ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
  ['Index/Document.iwa', 'a document of Apple Numbers'],
  ['cars.csv', 'a compressed file, but not an .xlsx workbook'],
])('a zip with %s is named', async (part, what) => {
  const zip = await zipOf({ [part]: '<x/>' });
  await expect(readWorkbook(zip, '', 10)).rejects.toThrow(`This is ${what}. Save it as .xlsx or CSV.`);
});

/** Returns a workbook of which a part is changed; undefined: left out. */
async function changedBook(changed: string, change: (part: string) => string | undefined): Promise<Uint8Array> {
  const bytes = await workbookFile([[textCell('A1', 'VIN')], [textCell('A2', VINS[0] ?? '')]]);
  const { names, textOf } = await openParts(bytes, { bytes: undefined });
  const parts: Record<string, string> = {};
  for (const name of names) {
    const part = await text(textOf(name));
    const kept = name.endsWith(changed) ? change(part) : part;
    if (kept !== undefined) parts[name] = kept;
  }
  return zipOf(parts);
}

test.each<[string, (sheet: string) => string | undefined, RegExp]>([
  [
    'a cell whose text is not in the list of texts',
    (sheet) => sheet.replace(/<c r="A2".*?<\/c>/, '<c r="A2" t="s"><v>7</v></c>'),
    /^A cell in row 2 refers to a text that the workbook does not have/,
  ],
  ['a sheet whose part is missing', () => undefined, /^The workbook lacks its part xl\/worksheets\/sheet1\.xml/],
  [
    'a formula that does not end',
    (sheet) => sheet.replace('<is>', `<f>${'A1+'.repeat(400_000)}</f><is>`),
    /^A text, formula or tag in the workbook is too large/,
  ],
])('%s is refused by name', async (_, change, says) => {
  await expect(readWorkbook(await changedBook('sheet1.xml', change), '', 10)).rejects.toThrow(says);
});

test('a cell whose place has no column follows the one before', async () => {
  const bytes = await changedBook('sheet1.xml', (sheet) => sheet.replace('r="A2"', 'r="2"'));
  expect(await rowsOf(bytes)).toEqual([['VIN'], [VINS[0]]]);
});

test('a workbook whose first twenty sheets are empty is refused with what to change', async () => {
  const empty = Array.from({ length: 20 }, () => []);
  const bytes = await workbookFile(...empty, [[textCell('A1', VINS[0] ?? '')]]);
  await expect(readWorkbook(bytes, '', 10)).rejects.toThrow('Put the sheet with the VINs first.');
});

test('a workbook is read as far as it is asked for', async () => {
  const cells = Array.from({ length: 20_000 }, (_, index) => [textCell(`A${index + 1}`, VINS[0] ?? '')]);
  const book = await openWorkbook(await workbookFile(cells), '', { bytes: undefined, characters: 1_000, columns: 10 });
  const first = await book.rows[Symbol.asyncIterator]().next();
  expect(first.value?.length).toBeLessThan(5_000);
  book.close();
});

/** Does some work, and counts how often each function of this folder is called meanwhile, by its name. */
async function callsIn(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const calls = new Map<string, number>();
  for (const { functions } of result.filter(({ url }) => url.includes('/kernel/csv/'))) {
    for (const { functionName: name, ranges } of functions) {
      calls.set(name, (calls.get(name) ?? 0) + (ranges[0]?.count ?? 0));
    }
  }
  return calls;
}

/** Counts the calls for a workbook whose lists have a length, and that is refused for its missing sheets. */
async function callsFor(length: number): Promise<Map<string, number>> {
  const many = (text: (index: number) => string): string => Array.from({ length }, (_, at) => text(at)).join('');
  const bytes = await zipOf({
    'xl/workbook.xml': `<workbook><sheets>${many((at) => `<sheet name="S" r:id="none${at}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s" Type="x/styles" Target="styles.xml"/>${many((at) => `<Relationship Id="r${at}" Type="x/worksheet" Target="s.xml"/>`)}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${many((at) => `<numFmt numFmtId="${at}" formatCode="0"/>`)}</numFmts><cellXfs>${many((at) => `<xf numFmtId="${at % 5}"/>`.repeat(5))}</cellXfs></styleSheet>`,
  });
  return callsIn(() => expect(rowsOf(bytes)).rejects.toThrow(TableError));
}

function sumOf(calls: ReadonlyMap<string, number>): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

test('the work for the lists of a workbook grows as they do, and each format is read once', async () => {
  const [few, many] = [await callsFor(200), await callsFor(400)];
  expect(many.get('formOfCode')).toBe(400);
  expect(sumOf(many) / sumOf(few)).toBeLessThan(2.2);
});

describe('numbers of cells', () => {
  test.each([
    ['yyyy\\-mm\\-dd', 'moment'],
    ['[$-407]d. mmmm yyyy;@', 'moment'],
    ['mmm', 'moment'],
    ['h:mm AM/PM', 'time'],
    ['[h]:mm:ss', 'duration'],
    ['[mm]:ss', 'duration'],
    ['#,##0.00 "days"', 'number'],
    ['[Red]0.00', 'number'],
    ['General', 'number'],
    ['0.00E+00', 'number'],
  ])('the format %s shows a %s', (code, form) => expect(formOfCode(code)).toBe(form));

  test('no more of a format is read than a spreadsheet takes', () =>
    expect(formOfCode(`${'['.repeat(250_000)}h]`)).toBe('number'));

  test.each([
    ['1', 'moment', '1900-01-01'],
    ['59', 'moment', '1900-02-28'],
    ['61', 'moment', '1900-03-01'],
    ['45413.75', 'moment', '2024-05-01T18:00:00'],
    ['45413.520833344', 'moment', '2024-05-01T12:30:00.001'],
    ['0.520833333333333', 'time', '12:30:00'],
    ['45413.5', 'time', '2024-05-01T12:00:00'],
    ['1.5', 'duration', '36:00:00'],
    ['-0.5', 'duration', '-12:00:00'],
    ['1e308', 'duration', '1e+308'],
    ['-1', 'moment', '-1'],
    ['12345678901234567890', 'number', '12345678901234567890'],
    ['1.1000000000000001', 'number', '1.1'],
    ['4.0E4', 'number', '40000'],
  ] as const)('%s as a %s is %s', (written, form, text) => expect(numberText(written, form, false)).toBe(text));
});
