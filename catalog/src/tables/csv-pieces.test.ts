import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { type CsvForm, csvPieces, csvRows, rowsOfPiece, spansOfPiece } from './index.ts';

const BOUNDS = { rowCharacters: 1_000 };

interface Parsed {
  rows: { line: number; cells: string[] }[];
  fault?: string;
}

async function whole(text: string, form: CsvForm): Promise<Parsed> {
  const rows: Parsed['rows'] = [];
  try {
    for await (const some of csvRows([text], form, BOUNDS)) rows.push(...some);
  } catch (error) {
    return { rows, fault: String(error) };
  }
  return { rows };
}

async function inPieces(chunks: readonly Uint8Array[], form: CsvForm): Promise<Parsed> {
  const rows: Parsed['rows'] = [];
  for await (const piece of csvPieces(chunks, form, BOUNDS)) {
    const parsed = rowsOfPiece(piece, form, BOUNDS);
    rows.push(...parsed.rows);
    if (parsed.fault !== undefined) return { rows, fault: String(parsed.fault) };
  }
  return { rows };
}

function chunksOf(text: string, sizes: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  for (let [from, index] = [0, 0]; from < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
const textOf = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((all) => all.join(''));

test.each([',', ';', '§'])(
  'the rows of the pieces are those of the whole text, wherever chunks end: %s',
  async (delimiter) => {
    const form = { delimiter, skipped: 0, skippedLines: 0 };
    await fc.assert(
      fc.asyncProperty(textOf('"', '""', delimiter, '\n', '\r\n', '\r', 'a', 'ü', ' '), sizes, async (text, size) => {
        const [one, other] = [await whole(text, form), await inPieces(chunksOf(text, size), form)];
        expect(other.rows.map(({ cells }) => cells)).toEqual(one.rows.map(({ cells }) => cells));
        expect(other.fault === undefined).toBe(one.fault === undefined);
      }),
      { numRuns: 200 },
    );
  },
);

test.each(['\n', '\r\n', '\r'])(
  'the rows and the faults of the pieces have their lines in the file: %j',
  async (end) => {
    const form = { delimiter: ',', skipped: 6, skippedLines: 1 };
    await fc.assert(
      fc.asyncProperty(textOf('"', '""', ',', end, 'a', `"${end}"`, '"\n"', '"\r"'), sizes, async (text, size) => {
        const sent = `sep=,\n${text}`;
        expect(await inPieces(chunksOf(sent, [sent.length, ...size]), form)).toEqual(await whole(sent, form));
      }),
      { numRuns: 200 },
    );
  },
);

test.each([
  ['\r', '\n'],
  ['\n', '\r'],
  ['\r\n', '\n'],
  ['\r', '\r\n'],
])('each end of a line is counted once, whatever ends rows and lines in cells: %j and %j', async (end, inside) => {
  // More than one piece.
  const text = `VIN,note${end}${`a,"x${inside}y"${end}`.repeat(5_000)}"`;
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  for (const parsed of [await whole(text, form), await inPieces([Buffer.from(text)], form)]) {
    expect(parsed.rows.at(-1)?.line).toBe(10_000);
    expect(parsed.fault).toContain('the row at line 10002 has a quote that is not closed');
  }
});

test('a row that is cut where it exceeds the bounds is refused, and not read as two', async () => {
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  // csv-parse counts neither delimiters nor quotes.
  const text = `VIN\na${','.repeat(10 * BOUNDS.rowCharacters)}b\nc\n`;
  const { rows, fault } = await inPieces(chunksOf(text, [500]), form);
  expect(rows).toEqual([{ line: 1, cells: ['VIN'] }]);
  expect(fault).toContain('Row 2 is longer than 1000 characters');
});

test('a row within the bounds is not refused where a CR before it ends a chunk', async () => {
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  // The row has 2,998 bytes, and no more than 3,000 are within the bounds.
  const parts = ['VIN\r', `${'中'.repeat(10)},`.repeat(96) + 'a'.repeat(22), '\rb'];
  const chunks = parts.map((part) => Buffer.from(part));
  const parsed = await inPieces(chunks, form);
  expect(parsed).toEqual(await whole(parts.join(''), form));
  expect(parsed.rows.map(({ line }) => line)).toEqual([1, 2, 3]);
});

test('rows of another width than the first are taken without making errors', async () => {
  using made = vi.spyOn(Error, 'captureStackTrace');
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  const { rows, fault } = await whole(`VIN,note\n${'\n'.repeat(50)}a\n${',,\n'.repeat(50)}b,c,d\n`, form);
  expect(rows).toEqual([
    { line: 1, cells: ['VIN', 'note'] },
    { line: 52, cells: ['a'] },
    { line: 103, cells: ['b', 'c', 'd'] },
  ]);
  expect(fault).toBeUndefined();
  expect(made).not.toHaveBeenCalled();
});

test('a row of delimiters alone is refused before the text has ended', async () => {
  let read = 0;
  function* endless(): Generator<string> {
    for (; read < 100; read++) yield ','.repeat(1_000);
  }
  const rows = csvRows(endless(), { delimiter: ',', skipped: 0, skippedLines: 0 }, BOUNDS);
  const all = async (): Promise<void> => {
    for await (const some of rows) expect(some).toEqual([]);
  };
  await expect(all()).rejects.toThrow('Row 1 is longer than 1000 characters');
  expect(read).toBeLessThan(10);
});

test('a quote that is never closed is refused before the text has ended', async () => {
  let read = 0;
  function* endless(): Generator<string> {
    yield 'VIN\n"';
    for (; read < 100; read++) yield 'x'.repeat(1_000);
  }
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  const pieces = csvPieces(endless(), form, BOUNDS);
  const found: ReturnType<typeof rowsOfPiece>[] = [];
  for await (const piece of pieces) {
    found.push(rowsOfPiece(piece, form, BOUNDS));
    if (found.at(-1)?.fault !== undefined) break;
  }
  expect(found.at(-1)?.fault?.message).toContain('Row 2 is longer than 1000 characters');
  expect(read).toBeLessThan(10);
});

function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

test('rows whose bytes are passed on are those that the parser finds, with the same cells', () => {
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  let passed = 0;
  fc.assert(
    fc.property(
      textOf('"', '""', '"a"', '"b,\n"', ',', '\n', '\r\n', '\r', 'a', 'ü', ' ', '\uFEFF'),
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 0, max: 2 }),
      (text, line, column) => {
        const bytes = new TextEncoder().encode(text);
        const spans = spansOfPiece({ bytes, line }, form, BOUNDS.rowCharacters, column);
        if (spans === undefined) return;
        passed += spans.length;
        const { rows, fault } = rowsOfPiece({ bytes, line }, form, BOUNDS);
        const textAt = (from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString();
        expect(fault).toBeUndefined();
        expect(spans.map(({ cells }) => cells)).toEqual(rows.map(({ cells }) => cells.length));
        expect(spans.map(({ from, to }) => unquoted(textAt(from, to)))).toEqual(
          rows.map(({ cells }) => cells[column] ?? ''),
        );
        const again = spans.map(({ start, end }) => textAt(start, end)).join('\n');
        const parsed = rowsOfPiece({ bytes: new TextEncoder().encode(again), line: 2 }, form, BOUNDS);
        expect(parsed.rows.map(({ cells }) => cells)).toEqual(rows.map(({ cells }) => cells));
      },
    ),
    { seed: 60, numRuns: 2_000 },
  );
  expect(passed).toBeGreaterThan(500);
});

test.each([
  ['a quote within a cell', 'a"b,c\n'],
  ['text behind a quote', '"a"b,c\n'],
  ['a quote that is not closed', '"a,c\n'],
  ['more than a row may have', `${'a'.repeat(1_001)}\n`],
])('%s is left to the parser', (_, text) => {
  const form = { delimiter: ',', skipped: 0, skippedLines: 0 };
  const piece = { bytes: new TextEncoder().encode(text), line: 2 };
  expect(spansOfPiece(piece, form, BOUNDS.rowCharacters, 0)).toBeUndefined();
});
