import {
  type CsvForm,
  csvFormOf,
  type CsvPiece,
  csvPieces,
  findLayout,
  isJsonLines,
  jsonText,
  LOOKED_AT,
  readJsonLine,
  resultDelimiter,
  type Row,
  rowsOfPiece,
  spansOfPiece,
  TableError,
  type TableLayout,
} from '@marque/catalog/tables';

import { CommandError } from '../../kernel/cli/io.ts';
import { visible } from '../../kernel/cli/terminal-text.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import type { CsvReader } from './block.ts';
import type { InputFile, InputTable } from './input.ts';

/** A longer row is not a list of vehicles; without a bound a quote that is never closed would fill the memory. */
const BOUNDS = { rowCharacters: 1_048_576 };

/** Rows that are read to know how wide a table is. */
const MEASURED = 1_000;

/** A table whose layout is known. */
export interface PlacedTable {
  kind: 'table';
  form: string;
  layout: TableLayout;
  /** The names of its own columns: a table without names gets numbers, and columns beyond the names none. */
  header: readonly string[];
  /** The delimiter of its results. */
  delimiter: string;
  kinds: () => Promise<readonly ColumnKind[]>;
  /** Its rows of data. */
  rows: AsyncIterable<readonly Row[]>;
  /** The same of a text, not parsed yet: only one of the two can be read. */
  csv?: PlacedText;
}

/** A CSV text in pieces; `skipped`: the rows of a piece that come before the data. */
interface PlacedText {
  form: CsvForm;
  pieces: AsyncIterable<{ piece: CsvPiece; skipped: number }>;
}

/** The place of a file's VINs: a column, a field of lines of JSON, or lines of nothing else. */
export type VinPlace = PlacedTable | PlacedField | { kind: 'lines' };

/** A field of lines of JSON; `isAlone`: the first lines have no other. */
interface PlacedField {
  kind: 'field';
  name: string;
  isAlone: boolean;
}

/**
 * Finds the VINs of a file by its contents, or in the column or field that was asked for.
 *
 * @throws CommandError when a table has none, or is not valid.
 */
export async function placeOfVins(input: InputFile, asked: string = ''): Promise<VinPlace> {
  const { table, beginning } = input;
  if (table !== undefined) return placed(table, asked);
  const text = beginning.replace(/^\uFEFF/, '');
  if (/^\s*\{/.test(text)) {
    if (!input.isWhole && !/[\n\r]/.test(text.trimStart())) throw longFirstLine(text);
    return { kind: 'field', ...fieldIn(text, asked) };
  }
  const form = csvFormOf(beginning);
  const { rows, isEmpty } = firstRows(input, form);
  if (isEmpty) {
    if (asked !== '') throw new CommandError('The file is empty: its first line must name the columns.');
    return { kind: 'lines' };
  }
  const layout = findLayout(rows, asked);
  const isList = rows.filter((row) => row.length > 1).length * 2 < rows.length;
  if (isList && asked === '' && (layout.kind === 'not-found' || layout.names === undefined)) return { kind: 'lines' };
  if (layout.kind === 'not-found') throw notFound(layout.message, asked);
  return placedText(csvPieces(input.chunks, form, BOUNDS), form, asked);
}

/** Returns the first rows of a CSV text. */
function firstRows({ beginning, isWhole }: InputFile, form: CsvForm): { rows: string[][]; isEmpty: boolean } {
  const end = isWhole ? beginning.length : Math.max(beginning.lastIndexOf('\n'), beginning.lastIndexOf('\r')) + 1;
  const bytes = new TextEncoder().encode(beginning.slice(form.skipped, end || undefined));
  const { rows, fault } = rowsOf({ bytes, line: 1 }, form);
  // A quote that the end of the beginning cuts is closed later; one that is never closed is found when the rows are read.
  if (fault !== undefined && isWhole && rows.length === 0) throw asCommandError(fault);
  return { rows: rows.slice(0, LOOKED_AT).map(({ cells }) => cells), isEmpty: rows.length === 0 };
}

/** Parses a piece of a CSV text within the bounds of a file. */
function rowsOf(piece: CsvPiece, form: CsvForm): ReturnType<typeof rowsOfPiece> {
  return rowsOfPiece(piece, form, BOUNDS);
}

/** The reader of CSV within the bounds of a file. */
export const csvReader: CsvReader = {
  rowsOf,
  spansOf: (piece, form, column) => spansOfPiece(piece, form, BOUNDS.rowCharacters, column),
};

/** Takes the first pieces of a CSV text, finds its layout, and passes on the text. */
async function placedText(text: AsyncGenerator<CsvPiece>, form: CsvForm, asked: string): Promise<PlacedTable> {
  const first: Row[] = [];
  const looked: { piece: CsvPiece; rows: number }[] = [];
  while (first.length < MEASURED) {
    const next = await text.next();
    if (next.done === true) break;
    const { rows, fault } = rowsOf(next.value, form);
    looked.push({ piece: next.value, rows: rows.length });
    for (const row of rows) first.push(row);
    if (fault === undefined) continue;
    if (first.length < LOOKED_AT) throw asCommandError(fault);
    break;
  }
  const layout = layoutOf(first, asked);
  async function* pieces(): AsyncGenerator<{ piece: CsvPiece; skipped: number }> {
    let left = layout.firstRow;
    for (const { piece, rows } of looked) {
      yield { piece, skipped: Math.min(left, rows) };
      left -= Math.min(left, rows);
    }
    for await (const piece of text) yield { piece, skipped: 0 };
  }
  const csv = { form, pieces: pieces() };
  async function* rows(): AsyncGenerator<readonly Row[]> {
    for await (const { piece, skipped } of csv.pieces) {
      const { rows: some, fault } = rowsOf(piece, form);
      yield some.slice(skipped);
      if (fault !== undefined) throw asCommandError(fault);
    }
  }
  const header = ownNames(layout, first);
  return {
    kind: 'table',
    form: 'CSV',
    layout,
    header,
    delimiter: resultDelimiter(form),
    kinds: async () => [],
    rows: rows(),
    csv,
  };
}

/** Takes the first rows of a table, finds its layout, and passes on its rows of data. */
async function placed({ rows: batches, form, kinds, names }: InputTable, asked: string): Promise<PlacedTable> {
  const source = batches[Symbol.asyncIterator]();
  const first: Row[] = [];
  try {
    while (first.length < MEASURED) {
      const next = await source.next();
      if (next.done === true) break;
      for (const row of next.value) first.push(row);
    }
  } catch (error) {
    throw asCommandError(error);
  }
  const layout = layoutOf(first, asked, names);
  async function* rows(): AsyncGenerator<readonly Row[]> {
    yield first.slice(layout.firstRow);
    try {
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    } catch (error) {
      throw asCommandError(error);
    }
  }
  return { kind: 'table', form, layout, header: ownNames(layout, first), delimiter: ',', kinds, rows: rows() };
}

function layoutOf(first: readonly Row[], asked: string, names?: readonly string[]): TableLayout {
  const looked = first.slice(0, LOOKED_AT).map(({ cells }) => cells);
  const layout = findLayout(looked, asked, names);
  if (layout.kind === 'not-found') throw notFound(layout.message, asked);
  return layout;
}

function ownNames({ names, firstRow }: TableLayout, first: readonly Row[]): string[] {
  const width = Math.max(names?.length ?? 0, ...first.slice(firstRow).map(({ cells }) => cells.length));
  return Array.from(
    { length: width },
    (_, index) => names?.[index] ?? (names === undefined ? `column ${index + 1}` : ''),
  );
}

function notFound(message: string, asked: string): CommandError {
  return new CommandError(visible(asked === '' ? `${message} The option is --column.` : message));
}

function asCommandError(error: unknown): unknown {
  return error instanceof TableError ? new CommandError(error.message) : error;
}

function longFirstLine({ length }: string): CommandError {
  return new CommandError(
    `The file is JSON, and its first line does not end within ${length} characters. Write one object per line, with only the fields that you need.`,
  );
}

/** Finds the field of lines of JSON that has the VINs, as the column of a table. */
function fieldIn(text: string, asked: string): Omit<PlacedField, 'kind'> {
  if (!isJsonLines(text)) {
    throw new CommandError('The file is JSON, but its first line is not a whole object. Write one object per line.');
  }
  const objects = firstObjects(text);
  const fields = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const rows = objects.map((object) => fields.map((field) => jsonText(object[field])));
  const layout = findLayout(rows, asked, fields);
  const found = layout.kind === 'found' ? fields[layout.column] : undefined;
  if (found !== undefined) return { name: found, isAlone: fields.length < 2 };
  const names = fields.map((field) => visible(field)).join(', ');
  throw new CommandError(
    asked === ''
      ? `The file is JSON Lines; no field has VINs (${names}). Name the field with --column.`
      : `The file is JSON Lines; no field is named ${visible(asked)} (${names}). Name the field with --column.`,
  );
}

/** Returns the objects of the first lines of JSON. The last line may be cut off, and others may have a VIN alone. */
function firstObjects(text: string): Readonly<Record<string, unknown>>[] {
  const lines = text.split(/\r\n?|\n/, LOOKED_AT);
  return lines.flatMap((line, index) => {
    try {
      const read = readJsonLine(line, index + 1);
      return read?.kind === 'object' ? [read.object] : [];
    } catch {
      return [];
    }
  });
}
