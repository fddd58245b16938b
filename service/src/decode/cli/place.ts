import {
  type CsvForm,
  csvFormOf,
  csvRows,
  findLayout,
  isJsonLines,
  LOOKED_AT,
  readJsonLine,
  type Row,
  TableError,
  type TableLayout,
  vinFieldOf,
} from '@marque/catalog/tables';

import { CommandError, visible } from '../../kernel/cli/io.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import type { InputFile } from './input.ts';

/** A longer row is not a list of vehicles; without a bound a quote that is never closed would fill the memory. */
const BOUNDS = { rowCharacters: 1_048_576 };

/** A table whose layout is known. */
export interface PlacedTable {
  kind: 'table';
  form: string;
  layout: TableLayout;
  /** The delimiter of its results. */
  delimiter: string;
  kinds: () => Promise<readonly ColumnKind[]>;
  /** Its rows of data. */
  rows: AsyncIterable<readonly Row[]>;
}

/** The place of a file's VINs: a column, a field of lines of JSON, or lines of nothing else. */
export type VinPlace = PlacedTable | { kind: 'field'; name: string } | { kind: 'lines' };

/**
 * Finds the VINs of a file by its contents, or in the column or field that was asked for.
 *
 * @throws CommandError when a table has none, or is not valid.
 */
export async function placeOfVins(input: InputFile, asked: string = ''): Promise<VinPlace> {
  const { table, beginning } = input;
  if (table !== undefined) {
    return placed(table.rows, { form: table.form, delimiter: ',', kinds: table.kinds }, asked, table.names);
  }
  const text = beginning.replace(/^\uFEFF/, '');
  if (/^\s*\{/.test(text)) return { kind: 'field', name: fieldIn(text, asked) };
  const form = csvFormOf(beginning);
  const { rows, isEmpty } = await firstRows(input, form);
  if (isEmpty) {
    if (asked !== '') throw new CommandError('The file is empty: its first line must name the columns.');
    return { kind: 'lines' };
  }
  const layout = findLayout(rows, asked);
  const isList = rows.filter((row) => row.length > 1).length * 2 < rows.length;
  if (isList && asked === '' && (layout.kind === 'not-found' || layout.names === undefined)) return { kind: 'lines' };
  if (layout.kind === 'not-found') throw notFound(layout.message, asked);
  return placed(
    csvRows(input.chunks, form, BOUNDS),
    { form: 'CSV', delimiter: form.delimiter, kinds: async () => [] },
    asked,
  );
}

/** Returns the first rows of a CSV text. */
async function firstRows(
  { beginning, isWhole }: InputFile,
  form: CsvForm,
): Promise<{ rows: string[][]; isEmpty: boolean }> {
  const end = isWhole ? beginning.length : Math.max(beginning.lastIndexOf('\n'), beginning.lastIndexOf('\r')) + 1;
  const rows: string[][] = [];
  try {
    for await (const some of csvRows([beginning.slice(0, end || undefined)], form, BOUNDS)) {
      rows.push(...some.map(({ cells }) => cells));
    }
  } catch (error) {
    // A quote that the end of the beginning cuts is closed later; one that is never closed is found when the rows are read.
    if (!(error instanceof TableError) || (isWhole && rows.length === 0)) throw asCommandError(error);
  }
  return { rows: rows.slice(0, LOOKED_AT), isEmpty: rows.length === 0 };
}

/** Takes the first rows of a table, finds its layout, and passes on its rows of data. */
async function placed(
  batches: AsyncIterable<readonly Row[]>,
  { form, delimiter, kinds }: Pick<PlacedTable, 'form' | 'delimiter' | 'kinds'>,
  asked: string,
  names?: readonly string[],
): Promise<PlacedTable> {
  const source = batches[Symbol.asyncIterator]();
  const first: Row[] = [];
  try {
    while (first.length < LOOKED_AT) {
      const next = await source.next();
      if (next.done === true) break;
      for (const row of next.value) first.push(row);
    }
  } catch (error) {
    throw asCommandError(error);
  }
  const looked = first.slice(0, LOOKED_AT).map(({ cells }) => cells);
  const layout = findLayout(looked, asked, names);
  if (layout.kind === 'not-found') throw notFound(layout.message, asked);
  async function* rows(firstRow: number): AsyncGenerator<readonly Row[]> {
    yield first.slice(firstRow);
    try {
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    } catch (error) {
      throw asCommandError(error);
    }
  }
  return { kind: 'table', form, layout, delimiter, kinds, rows: rows(layout.firstRow) };
}

function notFound(message: string, asked: string): CommandError {
  return new CommandError(visible(asked === '' ? `${message} The option is --column.` : message));
}

function asCommandError(error: unknown): unknown {
  return error instanceof TableError ? new CommandError(error.message) : error;
}

/** Returns the field of lines of JSON that has the VINs. */
function fieldIn(text: string, asked: string): string {
  if (!isJsonLines(text)) {
    throw new CommandError('The file is JSON, but its first line is not a whole object. Write one object per line.');
  }
  const line = readJsonLine(/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '', 1);
  const fields = line?.kind === 'object' ? Object.keys(line.object) : [];
  const found = vinFieldOf(fields, asked);
  if (found !== undefined) return found;
  const names = fields.map((field) => visible(field)).join(', ');
  throw new CommandError(
    `The file is JSON Lines; no field is named ${visible(asked || 'VIN')} (${names}). Name the field with --column.`,
  );
}
