import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isSeq, parseDocument } from 'yaml';

import { csvLine } from '../../kernel/csv/csv.ts';
import { COLUMNS, type FactRow } from './fact-row.ts';
import type { ExportedFacts, FactSource } from './facts.ts';

/** Name of the table that is written into a maker's folder. */
const TABLE = 'corrections.csv';

/**
 * Writes exported facts into a folder of facts (`catalog/facts/world`): a table for each maker, whole; new sources; and
 * the table's name into the layouts that use it.
 *
 * @returns the files that were written, relative to the folder.
 */
export function writeFacts(folder: string, { makers, sources }: ExportedFacts): string[] {
  const written: string[] = [];
  const write = (name: string, text: string): void => {
    const file = join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    writeFileSync(file, text);
    written.push(name);
  };
  for (const { maker, layouts, rows } of makers) {
    write(join(maker, TABLE), toCsv(rows));
    const file = join(maker, 'layouts.yaml');
    write(file, withTable(readFileSync(join(folder, file), 'utf8'), layouts));
  }
  write('sources.csv', withSources(readFileSync(join(folder, 'sources.csv'), 'utf8'), sources));
  return written;
}

/** Rows as a table, with the columns that they need. */
export function toCsv(rows: readonly FactRow[]): string {
  const columns = COLUMNS.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => csvLine(cells, ',', '\n')).join('');
}

function withSources(text: string, sources: readonly FactSource[]): string {
  const known = new Set(text.split('\n').map((line) => line.slice(0, line.indexOf(','))));
  const lines = sources
    .filter(({ key }) => !known.has(key))
    .map(({ key, kind, licence, where }) => csvLine([key, kind, licence, where], ',', '\n'));
  return (text.endsWith('\n') ? text : `${text}\n`) + lines.join('');
}

/** The layouts with the table's name put in where it is missing; everything else stays as written. */
function withTable(text: string, layouts: readonly string[]): string {
  const document = parseDocument(text);
  const entries = document.get('layouts');
  if (!isSeq(entries)) return text;
  const inserts: { at: number; what: string }[] = [];
  for (const index of entries.items.keys()) {
    const name = document.getIn(['layouts', index, 'name']);
    const tables = document.getIn(['layouts', index, 'tables'], true);
    if (!layouts.includes(String(name)) || !isSeq(tables) || !tables.range) continue;
    const listed: unknown = tables.toJS(document);
    if (Array.isArray(listed) && listed.includes(TABLE)) continue;
    const [at] = tables.range;
    const indent = ' '.repeat(at - (text.lastIndexOf('\n', at) + 1));
    inserts.push(tables.flow === true ? { at: at + 1, what: `${TABLE}, ` } : { at, what: `- ${TABLE}\n${indent}` });
  }
  return inserts.toReversed().reduce((whole, { at, what }) => whole.slice(0, at) + what + whole.slice(at), text);
}
