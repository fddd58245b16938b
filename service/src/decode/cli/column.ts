import type { Hints } from '@marque/decoder';

import { CSV_LINE_END, csvLine } from '../../kernel/csv/csv.ts';
import { type Io, write } from '../../kernel/cli/io.ts';
import { addedColumns } from '../../report/index.ts';
import { ADDED_COLUMNS, type Block } from './block.ts';
import { hintsOfRows } from './candidates.ts';
import type { PlacedTable } from './place.ts';
import type { BlockInput, Printed } from './print-blocks.ts';
import type { DecodeCount } from './result.ts';

/** Rows of a block. */
const ROWS_A_BLOCK = 1_000;

/** Rows of a table; the first one is the header alone. */
interface RowBlock {
  block: Extract<Block, { kind: 'cells' }>;
  /** The line of the header. */
  header?: string;
}

/**
 * Writes every row of a table unchanged, followed by its VIN's decoded columns. Memory does not grow with the file.
 *
 * @param candidates hints for every row; columns that are named like hints are added. Undefined: none are used.
 * @returns the numbers of decoded and of invalid rows.
 */
export async function decodeColumn(
  table: PlacedTable,
  candidates: Hints | undefined,
  print: (blocks: AsyncIterable<RowBlock>) => AsyncIterable<Printed<RowBlock>>,
  io: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  for await (const { input, printed } of print(blocksOfRows(table, candidates))) {
    count.decoded += printed.decoded;
    count.refused += printed.refused;
    await write(io.stdout, input.header ?? printed.bytes);
    // Frees the memory at once: as garbage it would stay for long.
    printed.bytes.buffer.transfer(0);
  }
  return count;
}

/** Yields the VINs of a table's column, in its order. */
export async function* blocksOfColumn({ rows, layout }: PlacedTable): AsyncGenerator<BlockInput> {
  for await (const cells of batchesOf(rows)) {
    yield { block: { kind: 'texts', texts: cells.map((row) => row[layout.column] ?? '') } };
  }
}

async function* blocksOfRows(
  { rows, layout, delimiter }: PlacedTable,
  candidates: Hints | undefined,
): AsyncGenerator<RowBlock> {
  let header: string[] | undefined;
  for await (const cells of batchesOf(rows)) {
    if (header === undefined) {
      header = ownNames(layout.names, cells);
      yield headBlock(header, delimiter);
    }
    const width = header.length;
    const texts = cells.map((row) => row[layout.column] ?? '');
    const hints = candidates && cells.map(hintsOfRows(header, candidates));
    const lines = cells.map((row) => csvLine(padded(row, width), delimiter).slice(0, -CSV_LINE_END.length) + delimiter);
    yield { block: { kind: 'cells', delimiter, lines, texts, hints } };
  }
  if (header === undefined) yield headBlock(ownNames(layout.names, []), delimiter);
}

/** Returns the header alone: it comes before the rows, and without any. */
function headBlock(header: readonly string[], delimiter: string): RowBlock {
  const added = addedColumns(ADDED_COLUMNS, header).map(({ name }) => name);
  return {
    block: { kind: 'cells', delimiter, lines: [], texts: [], hints: undefined },
    header: csvLine([...header, ...added], delimiter),
  };
}

/** Yields rows that are decoded together. */
async function* batchesOf(rows: PlacedTable['rows']): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  for await (const some of rows) {
    for (const { cells } of some) {
      batch.push(cells);
      if (batch.length < ROWS_A_BLOCK) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * Returns the names of a table's own columns; a table without names gets numbers, and columns beyond the names none.
 */
function ownNames(names: readonly string[] | undefined, rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(names?.length ?? 0, ...rows.map((row) => row.length));
  return Array.from(
    { length: width },
    (_, index) => names?.[index] ?? (names === undefined ? `column ${index + 1}` : ''),
  );
}

/** Pads a row: a short one would shift the added columns into the file's own. */
function padded(row: readonly string[], width: number): readonly string[] {
  return row.length >= width ? row : Array.from({ length: width }, (_, index) => row[index] ?? '');
}
