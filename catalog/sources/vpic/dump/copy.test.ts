import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CopyReader } from './copy.ts';

const HEAD = '--\n-- PostgreSQL database dump\n--\n\n';
const FOOT = '--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict x\n\n';

type Row = (string | null)[];

/** Reads everything of these tables, the dump coming in pieces of this size. */
function read(text: string, wanted: readonly string[], pieceBytes = 1 << 16): Record<string, Row[]> {
  const tables: Record<string, Row[]> = {};
  const reader = new CopyReader((table) => {
    if (!wanted.includes(table)) return undefined;
    const rows: Row[] = (tables[table] = []);
    return (fields) => void rows.push(fields);
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return tables;
}

function escaped(value: string | null): string {
  if (value === null) return '\\N';
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

function block(table: string, rows: readonly Row[]): string {
  return `COPY vpic.${table} (a, "position") FROM stdin;\n${rows.map((row) => `${row.map(escaped).join('\t')}\n`).join('')}\\.\n\n`;
}

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\\.', '\\', '\\N', '\r\n', '\t', '', 'COPY'));
const cell = fc.oneof(text, fc.constant(null));
const rows = fc.array(fc.tuple(cell, cell), { maxLength: 8 });

describe('the COPY blocks of a dump', () => {
  test('are read as they were written, in pieces of any size, beside blocks that are not requested', () => {
    fc.assert(
      fc.property(rows, rows, rows, fc.integer({ min: 1, max: 40 }), (first, unwanted, last, pieceBytes) => {
        const dump = HEAD + block('one', first) + block('other', unwanted) + block('two', last) + FOOT;
        expect(read(dump, ['one', 'two'], pieceBytes)).toEqual({ one: first, two: last });
      }),
    );
  });

  test('may use the escapes of C', () => {
    const dump = `${HEAD}COPY vpic.t (a, b) FROM stdin;\n\\101\\x42\\b\t\\q\\v\n\\.\n${FOOT}`;
    expect(read(dump, ['t'])).toEqual({ t: [['AB\b', 'q\v']] });
  });

  test('are refused wherever the dump is cut off', () => {
    const rows = [['1', 'x']];
    const dump = HEAD + block('one', rows) + block('other', rows) + block('two', rows) + FOOT;
    const complete = dump.indexOf('dump complete');
    fc.assert(
      fc.property(fc.integer({ min: HEAD.length, max: complete }), (length) => {
        expect(() => read(dump.slice(0, length), ['one', 'two'])).toThrow(
          /cut short: it ends (?:in the middle of the table|before the end)/,
        );
      }),
    );
  });

  test('are refused when a row has not as many columns as its table', () => {
    const dump = `${HEAD}COPY vpic.t (a, b) FROM stdin;\n1\t2\n1\t2\t3\n\\.\n${FOOT}`;
    expect(() => read(dump, ['t'])).toThrow('Row 2 of the table t has 3 columns instead of 2.');
  });

  test('are not searched for in a file that is not a dump', () => {
    expect(() => read('', [])).toThrow('not a PostgreSQL dump');
    expect(() => read('hello\n'.repeat(20), [])).toThrow('not a PostgreSQL dump');
    expect(() => read('x'.repeat(3_000_000), [])).toThrow('a line is endless');
  });
});
