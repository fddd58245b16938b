import { expect, test, vi } from 'vitest';

import { csvFormOf, csvFormSteps, csvRows, findLayout, layoutSteps, type Row, TableError } from './index.ts';

const VIN = '1HGCM82633A004352';
const OTHER = 'WVWZZZ1KZCW000001';

async function read(text: string, asked = '') {
  const form = csvFormOf(text);
  const rows: Row[] = [];
  for await (const some of csvRows([text], form, { rowCharacters: 1_000 })) rows.push(...some);
  const layout = findLayout(
    rows.map(({ cells }) => cells),
    asked,
  );
  if (layout.kind === 'not-found') return layout.message;
  const { column, names, firstRow } = layout;
  return { delimiter: form.delimiter, column, names, line: rows[firstRow]?.line };
}

test.each([
  ['the contents, whatever the names say', `Chassis type,VIN\nA,${VIN}\n`, { column: 1, line: 2 }],
  ['the contents, where no name says it', `Motor,Car\nx,${VIN}\n`, { column: 1, line: 2 }],
  ['the name, of two columns of VINs', `Old car,VIN\n${OTHER},${VIN}\n`, { column: 1, line: 2 }],
  ['a title and a blank row', `Fleet 2024\n\nNo;VIN\n1;${VIN}\n`, { column: 1, names: ['No', 'VIN'], line: 4 }],
  ["Excel's line of the delimiter", `sep=;\nNo;VIN\n1;${VIN}\n`, { delimiter: ';', column: 1, line: 3 }],
  [
    'two rows of names',
    `Vehicle,,Owner\nVIN,Plate,\n${VIN},HH,Ann\n`,
    { names: ['VIN', 'Plate', 'Owner'], column: 0, line: 3 },
  ],
  [
    'a table of Markdown',
    `| No | VIN |\n|---|---|\n| 1 | ${VIN} |\n`,
    { names: ['', ' No ', ' VIN ', ''], column: 2, line: 2 },
  ],
  ['no names', `1,${VIN}\n2,${OTHER}\n`, { column: 1, names: undefined, line: 1 }],
  [
    'names one short, as R writes them',
    `"VIN","make"\n"1","${VIN}","Honda"\n"2","${OTHER}","VW"\n`,
    { column: 1, names: ['', 'VIN', 'make'] },
  ],
  [
    'spaces and quotes, as R writes them with the names of rows',
    `"Unit" "VIN" "note"\n"1" 7 "${VIN}" "a b"\n"2" 8 "${OTHER}" "c"\n`,
    { delimiter: ' ', column: 2, names: ['', 'Unit', 'VIN', 'note'] },
  ],
  [
    'spaces and quotes, and an empty name for the rows',
    `"" "vin"\n"1" "${VIN}"\n"2" "${OTHER}"\n`,
    { delimiter: ' ', column: 1, names: ['', 'vin'] },
  ],
  [
    'spaces and escaped quotes, as R writes a quote in a cell',
    `"make" "note" "vin"\n"1" "Honda" "say \\"hi there\\" x" "${VIN}"\n"2" "VW" "b" "${OTHER}"\n`,
    { delimiter: ',', column: 0 },
  ],
  ['texts with spaces', `"label"\n"VIN: ${VIN}"\nVIN: ${OTHER}\n`, { delimiter: ',', column: 0 }],
  [
    'a delimiter at the end of each row',
    `a,b,c\n1,${VIN},3,\n2,${OTHER},4,\n`,
    { column: 1, names: ['a', 'b', 'c', ''] },
  ],
  ['rows wider than the names', `id,vin\n1,${VIN},x,y\n2,${OTHER}\n`, { column: 1, names: ['id', 'vin', '', ''] }],
  ['a first row without a VIN', `id,car\n1,\n2,${VIN}\n`, { column: 1, names: ['id', 'car'], line: 2 }],
  ['a first VIN that is mistyped', `1,1HGCM82633A00435O\n2,${VIN}\n`, { column: 1, names: undefined, line: 1 }],
  ['VINs that a spreadsheet has damaged', `id,vin\n1,1.0E+14\n`, { column: 1, line: 2 }],
  ['a name of 17 letters', `Fahrgestellnummer\n${VIN}\n`, { column: 0, line: 2 }],
  ['a bar as the delimiter', `plate|vin\nA|${VIN}\n`, { delimiter: '|', column: 1 }],
  ['cells with line ends', `note,vin\n"a\nb",x\nc,${VIN}\n`, { column: 1, line: 2 }],
])('a table is read by %s', async (_, text, expected) => {
  expect(await read(text)).toMatchObject(expected);
});

test('a column is taken that was asked for, by name or number, and its names are found', async () => {
  const table = `a,b\n${VIN},${OTHER}\n`;
  expect(await read(table, 'B')).toMatchObject({ column: 1 });
  expect(await read(table, '1')).toMatchObject({ column: 0 });
  expect(await read(table, '3')).toBe('There is no column "3". The columns are: a, b.');
  expect(await read('a,b\n1,2\n')).toMatch(/^No column contains VINs\./);
});

test('a number is a name in the first row alone: below it is a cell that has the same digits', async () => {
  expect(await read(`plate,id,vin\nA,3,${VIN}\n`, '3')).toMatchObject({ column: 2, line: 2 });
  expect(await read(`id,vin\n2,\n3,${VIN}\n`, '2')).toMatchObject({ column: 1, line: 2 });
  expect(await read(`2,${VIN}\n3,${OTHER}\n`, '2')).toMatchObject({ column: 1, line: 1 });
  expect(await read(`3,2,1\nA,B,${VIN}\n`, '1')).toMatchObject({ column: 2, line: 2 });
  expect(findLayout([['car', VIN]], 'car', ['kind', 'car'])).toMatchObject({ column: 1 });
});

test('the column of VINs of a table with thousands of columns is found', () => {
  const row = Array.from({ length: 8_000 }, (_, column) => `value of the column ${column}`);
  const names = row.map((_, column) => `column ${column}`);
  const rows = Array.from({ length: 100 }, (_, line) => [...row, `1HGCM82633A${100_000 + line}`]);
  expect(findLayout([[...names, 'VIN'], ...rows], '')).toMatchObject({ column: 8_000, firstRow: 1 });
});

const stepsOf = (work: Iterable<undefined>): number => [...work].length;

test.each(['', 'b'])('a wide table is looked at in many steps, asked for column "%s"', (asked) => {
  const row = Array.from({ length: 256 }, (_, column) => `a VIN of ${column} digits, 1`);
  const rows = [row.map(() => 'VIN'), ...Array.from({ length: 99 }, () => row)];
  expect(stepsOf(layoutSteps(rows, asked))).toBeGreaterThan(20);
});

test('each delimiter is tried in steps of its own', () => {
  expect(stepsOf(csvFormSteps('a,b;c|d\te\n'.repeat(30)))).toBeGreaterThanOrEqual(8);
});

test('long names are compared as they are', () => {
  using normalized = vi.spyOn(String.prototype, 'normalize');
  const long = '\u0345\u0334'.repeat(2_000);
  expect(
    findLayout(
      [
        [long, 'x'],
        ['1', VIN],
      ],
      'zzz',
    ),
  ).toMatchObject({ kind: 'not-found' });
  expect(
    findLayout(
      [
        [long, 'x'],
        ['1', VIN],
      ],
      long,
    ),
  ).toMatchObject({ kind: 'found', column: 0 });
  expect(Math.max(...normalized.mock.contexts.map((name) => String(name).length))).toBeLessThanOrEqual(200);
});

test('a quote that is never closed, and a row without an end, are refused with their line', async () => {
  await expect(read('a,vin\n1,"x')).rejects.toThrow('line 2');
  await expect(read(`a\n"${'b\n'.repeat(1_000)}`)).rejects.toThrow(TableError);
});
