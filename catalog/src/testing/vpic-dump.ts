import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

import type Database from 'better-sqlite3';

/** The npm package's rows that a dump contains. */
export interface DumpChoice {
  /** Only the schemas of these WMIs; default: all. */
  wmis?: readonly string[];
  /** The largest number of patterns. */
  mostPatterns?: number;
  /** The largest number of rows of each table. */
  mostRows?: number;
  /** Tables that the npm package lacks. */
  tables?: readonly DumpTable[];
}

/** A table of a dump: its name, columns and rows. */
export interface DumpTable {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

const HEAD = `--
-- PostgreSQL database dump
--

\\restrict mXbN0qLhYw

-- Dumped from database version 17.6
-- Dumped by pg_dump version 18.3

SET statement_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';

CREATE SCHEMA vpic;

CREATE TABLE vpic.pattern (
    id integer NOT NULL
);

`;
const FOOT = `ALTER TABLE ONLY vpic.pattern
    ADD CONSTRAINT pk_pattern PRIMARY KEY (id);

--
-- PostgreSQL database dump complete
--

\\unrestrict mXbN0qLhYw

`;
/** The largest table of the download, which is not needed: its values look like the end of a block. */
const UNWANTED = `COPY vpic.wmiyearvalidchars (id, wmi, year, "position", "char") FROM stdin;
1\t1HG\t2003\t4\tC
2\t1HG\t2003\t5\t\\\\.
3\t1HG\t2003\t5\t\\\\
\\.


COPY vpic.empty (id, remark) FROM stdin;
\\.


`;
/** The characters that are written at once. */
const CHUNK = 2 ** 16;
/** Matches what a dump escapes. */
const SPECIAL = /[\\\t\n\r]/;
const BOOLEANS: ReadonlySet<string> = new Set(['isprivate', 'tobeqced']);

/**
 * Writes a dump of the form of NHTSA's official download from the rows of the npm package, with ids out of order.
 *
 * @param db the package as `openNpmPackage` opened it.
 */
export async function writeVpicDump(file: string, db: Database.Database, choice: DumpChoice): Promise<void> {
  const out = createWriteStream(file);
  out.write(HEAD + UNWANTED);
  const tables = db.prepare("select name from sqlite_master where type = 'table' order by lower(name)").pluck().all();
  for (const table of tables as string[]) await writeTable(db, out, table, choice);
  for (const { name, columns, rows } of choice.tables ?? []) {
    out.write(`COPY vpic.${name} (${columns.join(', ')}) FROM stdin;\n`);
    for (const row of rows) out.write(`${row.map((value) => written(value, '')).join('\t')}\n`);
    out.write('\\.\n\n\n');
  }
  out.end(FOOT);
  await finished(out);
}

async function writeTable(db: Database.Database, out: WriteStream, table: string, choice: DumpChoice): Promise<void> {
  const columns = (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name.toLowerCase());
  out.write(`COPY vpic.${table.toLowerCase()} (${columns.join(', ')}) FROM stdin;\n`);
  const rows = db
    .prepare(`select * from "${table}" ${where(table, choice)} order by rowid desc limit ${choice.mostRows ?? -1}`)
    .raw()
    .iterate();
  let text = '';
  for (const row of rows) {
    const fields = (row as (string | number | null)[]).map((value, column) => written(value, columns[column] ?? ''));
    text += `${fields.join('\t')}\n`;
    if (text.length < CHUNK) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.write(`${text}\\.\n\n\n`);
}

function where(table: string, { wmis, mostPatterns }: DumpChoice): string {
  const schemas =
    wmis === undefined
      ? 'select VinSchemaId from Wmi_VinSchema'
      : `select VinSchemaId from Wmi_VinSchema where WmiId in
         (select Id from Wmi where Wmi in (${wmis.map((wmi) => `'${wmi}'`).join()}))`;
  if (table === 'Pattern') {
    const limit = mostPatterns ?? Number.MAX_SAFE_INTEGER;
    return `where Id in (select Id from Pattern where VinSchemaId in (${schemas}) order by Id limit ${limit})`;
  }
  return table === 'VinSchema' && wmis !== undefined ? `where Id in (${schemas})` : '';
}

function written(value: string | number | null, column: string): string {
  if (value === null) return '\\N';
  if (BOOLEANS.has(column)) return Number(value) === 0 ? 'f' : 't';
  if (typeof value === 'number' || !SPECIAL.test(value)) return String(value);
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
