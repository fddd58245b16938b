import { isJsonLines, kindOfFile, markedEncoding, TableError } from '@marque/catalog/tables';

import type { NextTurn } from '../kernel/limits/loop-turns.ts';
import { tableOfJsonLines } from './json-table.ts';
import type { FileContent } from './read-file.ts';
import { textOf } from './sent-text.ts';
import type { Upload } from './transfer-limits.ts';
import type { PackedTable } from './unpack.ts';

/** The form of a file: text, or packed in one of the forms that are unpacked. */
type FileForm = { kind: 'text' } | { kind: 'packed'; form: PackedTable['form'] } | { kind: 'refused'; message: string };

/** Returns the form of a file by its content: names are often wrong. Pure. */
function formOf(bytes: Uint8Array): FileForm {
  const found = kindOfFile(bytes);
  if (found.kind === 'refused') return refused(`This is ${found.what}.`);
  if (found.kind !== 'text') return { kind: 'packed', form: found.kind === 'zip' ? 'workbook' : 'parquet' };
  return hasNul(bytes) ? refused('There is no table in this file. Send CSV, .xlsx, or Parquet.') : { kind: 'text' };
}

function refused(message: string): { kind: 'refused'; message: string } {
  return { kind: 'refused', message };
}

/** Returns true if there are zero bytes: UTF-16 is full of them, any other text has none. */
function hasNul(bytes: Uint8Array): boolean {
  return markedEncoding(bytes) === undefined && bytes.includes(0);
}

/** A file as sent. */
export interface SentFile extends Pick<PackedTable, 'column' | 'mostRows' | 'mostBytes'> {
  bytes: Uint8Array;
  /** The encoding of its text that its sender named; empty: none. */
  encoding: string;
}

/** Returns the content of a file: its text, or the rows that are found in it when it is unpacked. */
export async function contentOf(
  { bytes, column, mostRows, mostBytes, encoding: asked }: SentFile,
  { turn, unpack }: Pick<Upload, 'turn' | 'unpack'>,
): Promise<{ kind: 'content'; content: FileContent } | { kind: 'refused'; message: string }> {
  const form = formOf(bytes);
  if (form.kind === 'refused') return form;
  // A large body has just arrived; decoding it is a turn of the event loop of its own.
  await turn();
  if (form.kind === 'text') return textContent(bytes, asked, mostRows, turn);
  const unpacked = await unpack({ form: form.form, bytes, column, mostRows, mostBytes });
  return unpacked.kind === 'refused' ? unpacked : { kind: 'content', content: unpacked };
}

/** Returns the table in a text; refused where its encoding is not clear: no character is guessed or replaced. */
async function textContent(
  bytes: Uint8Array,
  asked: string,
  mostRows: number,
  turn: NextTurn,
): Promise<{ kind: 'content'; content: FileContent } | { kind: 'refused'; message: string }> {
  const read = await textOf(bytes, asked, turn);
  if (read.kind === 'refused') return read;
  const { text, encoding } = read;
  if (!isJsonLines(text)) return { kind: 'content', content: { kind: 'text', text, encoding } };
  try {
    return { kind: 'content', content: await tableOfJsonLines(text, encoding, mostRows, turn) };
  } catch (error) {
    if (error instanceof TableError) return refused(error.message);
    throw error;
  }
}
