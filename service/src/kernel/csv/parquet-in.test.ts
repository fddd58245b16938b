import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parquetMetadata, parquetSchema } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';

import { readParquet } from '../../files/read-parquet.ts';
import { unpack } from '../../files/unpack.ts';
import type { Page } from './csv.ts';
import { textOfValue, valueOf } from './cells.ts';
import { parquetOf } from './parquet.ts';

const WRITTEN = fileURLToPath(new URL('../../files/testing/written', import.meta.url));
const VINS = ['1HGCM82633A004352', 'WVWZZZ1KZCW000001', 'JTDKN3DU5A0123456', 'WAUZZZ8V5KA012345', '5YJ3E1EA7KF317000'];

function written(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(WRITTEN, `${name}.parquet`))).buffer;
}

/** Returns the columns of a file, each with its cells. */
async function columnsOf(file: ArrayBuffer): Promise<Record<string, string[]>> {
  const { names, rows } = await readParquet(file, 100_000);
  return Object.fromEntries(names.map((name, place) => [name, rows.map(({ cells }) => cells[place] ?? '')]));
}

/** Returns the same table as this service writes it. */
async function rewritten(file: ArrayBuffer): Promise<ArrayBuffer> {
  const { names, kinds, rows } = await readParquet(file, 100_000);
  async function* pages(): AsyncGenerator<Page> {
    yield rows.map(({ cells }) => cells);
  }
  const parts: Uint8Array[] = [];
  const columns = names.map((name, place) => ({ name, kind: kinds[place] ?? 'text' }));
  for await (const part of parquetOf(columns, pages(), 1_000)) parts.push(part);
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

describe('VINs of other programs are read', () => {
  test.each([
    'duckdb',
    'duckdb-v2',
    'polars',
    'parquetjs',
    'delta-byte-v1',
    'delta-byte-v2',
    'delta-length-v2',
    'fixed-17',
    'binary',
  ])('%s', async (name) => {
    expect((await columnsOf(written(name)))['VIN']).toEqual(VINS);
  });

  test.each(['PLAIN', 'DELTA_BYTE_ARRAY', 'DELTA_LENGTH_BYTE_ARRAY'] as const)(
    'hyparquet-writer, 20,000 of them, distinct, as %s',
    async (encoding) => {
      const data = Array.from({ length: 20_000 }, (_, serial) => `WVWZZZ1KZCW${String(serial).padStart(6, '0')}`);
      const file = parquetWriteBuffer({ columnData: [{ name: 'VIN', data, type: 'STRING', encoding }] });
      expect((await columnsOf(file))['VIN']).toEqual(data);
    },
  );
});

describe('every type keeps its value', () => {
  const FIRST = {
    id: '1',
    Owner: 'Größe & Söhne',
    price: '12.50',
    sold: '2020-01-10',
    at: '2020-01-10T13:14:15',
    big: '9007199254740993',
    ok: 'true',
    status: 'a',
    tm: '12:13:14.123456',
    iv: 'P0M1DT0S',
    dec38: '12345678901234567890123456789012345.678',
    tz: '2019-12-31T22:00:00Z',
    list: '[1,2,3]',
    st: '{"a":1,"b":"x"}',
    blb: '0xaabb',
    ns: '2020-01-01T00:00:00.123456789',
    u32: '4294967295',
    fl: '1.5',
  };

  test.each(['duckdb', 'duckdb-v2'])('as text (%s)', async (name) => {
    const columns = await columnsOf(written(name));
    const first = Object.fromEntries(Object.entries(columns).map(([column, cells]) => [column, cells[0]]));
    expect(first).toMatchObject(FIRST);
    expect(first['uid']).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  test.each(['duckdb', 'duckdb-v2', 'polars', 'parquetjs', 'delta-byte-v2', 'fixed-17'])(
    'and its type where the table is written as Parquet (%s)',
    async (name) => {
      const again = await rewritten(written(name));
      expect(await columnsOf(again)).toEqual(await columnsOf(written(name)));
    },
  );

  test('a decimal, a day, a time, a moment, an interval and a number without a sign are the same types again', async () => {
    const schema = parquetSchema(parquetMetadata(await rewritten(written('duckdb')))).children;
    const types = Object.fromEntries(
      schema.map(({ element }) => [element.name, element.converted_type ?? element.logical_type?.type ?? element.type]),
    );
    expect(types).toMatchObject({
      price: 'DECIMAL',
      sold: 'DATE',
      at: 'TIMESTAMP',
      big: 'UINT_64',
      ok: 'BOOLEAN',
      tm: 'TIME',
      iv: 'INTERVAL',
      dec38: 'DECIMAL',
      ns: 'TIMESTAMP',
      u32: 'UINT_32',
      fl: 'FLOAT',
      VIN: 'UTF8',
    });
  });
});

test('17 digits that a program kept as a floating number are not the 17 characters of a VIN', async () => {
  const { VIN: cells = [] } = await columnsOf(written('duckdb-double'));
  expect(cells).toEqual(['1.2345678901234568E+16', '1.2345678901234568E+16']);
});

test('a file that is damaged anywhere is read, or refused with one sentence', async () => {
  const refusals = new Set<string>();
  for (const name of ['duckdb', 'delta-byte-v1', 'delta-byte-v2']) {
    const whole = new Uint8Array(written(name));
    for (let place = 4; place < whole.length; place += 7) {
      const bytes = new Uint8Array(whole);
      bytes[place] = (bytes[place] ?? 0) ^ 0xff;
      const read = await unpack({ form: 'parquet', bytes, column: '', mostRows: 100, mostBytes: 50_000_000 });
      if (read.kind === 'refused') refusals.add(read.message);
    }
  }
  expect(refusals.size).toBeGreaterThan(0);
  for (const message of refusals)
    expect(message).toMatch(/^(?:The (?:Parquet )?file (?:is|has)|No column contains VINs)[^\n]*\.$/);
});

test('a time beyond a day is its number, and a text that is no value of its column is none', () => {
  for (const ticks of [100_000_000_000_000_000n, -1n, 86_400_000_000n]) {
    expect(textOfValue(ticks, 'time-micros')).toBe(String(ticks));
    expect(valueOf(String(ticks), 'time-micros')).toBe(ticks);
  }
  expect(valueOf(textOfValue(86_399_999_999n, 'time-micros'), 'time-micros')).toBe(86_399_999_999n);
  // What is left of a VIN without letters that was erased.
  for (const kind of ['int64', 'int32', 'double', 'decimal-17-0', 'date', 'timestamp-micros-utc', 'interval'] as const)
    expect(valueOf('12345678901******', kind)).toBeNull();
  expect(valueOf('NaN', 'double')).toBeNaN();
});
