import { csvLine } from '../../kernel/csv/csv.ts';
import { type Io, writeRows } from '../../kernel/cli/io.ts';
import { addedColumns } from '../../report/index.ts';
import type { Block, TableForm } from './block.ts';
import { Output, rowStart } from './output.ts';
import type { PlacedTable } from './place.ts';
import type { BlockInput, Printed } from './print-blocks.ts';
import { ADDED_COLUMNS, type DecodeCount } from './result.ts';

/** Rows of a block. */
const ROWS_A_BLOCK = 1_000;
/** The text of the rows of a block, in characters: it is passed on as one, and several blocks are under way. */
const BATCH_CHARACTERS = 4_000_000;

/** VINs of a table. */
interface TextBlock {
  block: Extract<Block, { kind: 'texts' }>;
}

/**
 * Writes every row of a table unchanged, followed by its VIN's decoded columns. Memory does not grow with the file.
 *
 * @param hasHints decodes each row with what its other columns say.
 * @returns the numbers of decoded and of invalid rows.
 */
export async function decodeColumn(
  table: PlacedTable,
  hasHints: boolean,
  print: (blocks: AsyncIterable<BlockInput>) => AsyncIterable<Printed<BlockInput>>,
  io: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  const added = addedColumns(ADDED_COLUMNS, table.header).map(({ name }) => name);
  await writeRows(io.stdout, csvLine([...table.header, ...added], table.delimiter));
  for await (const { printed } of print(
    hasHints || table.csv !== undefined ? blocksOfTable(table, true) : blocksOfCells(table),
  )) {
    count.decoded += printed.decoded;
    count.refused += printed.refused;
    await writeRows(io.stdout, printed.bytes);
    // Frees the memory at once: as garbage it would stay for long.
    printed.bytes.buffer.transfer(0);
  }
  return count;
}

/** Yields the VINs of a table that is not text, with the beginnings of its rows. */
async function* blocksOfCells({ rows, header, layout, delimiter }: PlacedTable): AsyncGenerator<BlockInput> {
  const output = new Output();
  for await (const { cells: batch } of batchesOf(rows, ROWS_A_BLOCK)) {
    const ends = new Uint32Array(batch.length);
    for (const [row, cells] of batch.entries()) {
      output.add(Buffer.from(rowStart(cells, header.length, delimiter)));
      ends[row] = output.length;
    }
    const json = JSON.stringify(batch.map((cells) => cells[layout.column] ?? ''));
    yield { block: { kind: 'cells', json, delimiter }, before: { bytes: output.take(), ends } };
  }
}

/** Yields the VINs of a table's column, in its order. */
export async function* blocksOfColumn({ rows, layout }: PlacedTable): AsyncGenerator<TextBlock> {
  for await (const { cells } of batchesOf(rows, ROWS_A_BLOCK)) {
    yield { block: { kind: 'texts', texts: cells.map((row) => row[layout.column] ?? '') } };
  }
}

/**
 * Yields a table in parts. Rows of CSV are parsed where they are printed.
 *
 * @param isKept prints its rows with columns added, else its VINs alone.
 * @param rows of a block, where the table is not text.
 */
export async function* blocksOfTable(
  placed: PlacedTable,
  isKept: boolean,
  rows: number = ROWS_A_BLOCK,
): AsyncGenerator<BlockInput> {
  const { header, layout, delimiter, csv } = placed;
  const table: TableForm = { header, column: layout.column, delimiter, isKept };
  if (csv !== undefined) {
    const { form, pieces } = csv;
    for await (const { skipped, piece } of pieces) yield { block: { kind: 'csv', piece, form, skipped, table } };
  } else if (isKept) {
    for await (const { cells, lines } of batchesOf(placed.rows, rows)) {
      yield { block: { kind: 'rows', json: JSON.stringify(cells), lines, table } };
    }
  } else yield* blocksOfColumn(placed);
}

/** Yields rows that are decoded together: at most so many, and fewer where they are long. */
async function* batchesOf(rows: PlacedTable['rows'], most: number): AsyncGenerator<Batch> {
  let batch: Batch = { cells: [], lines: [] };
  let characters = 0;
  for await (const some of rows) {
    for (const { line, cells } of some) {
      batch.cells.push(cells);
      batch.lines.push(line);
      for (const cell of cells) characters += cell.length;
      if (batch.cells.length < most && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = { cells: [], lines: [] };
      characters = 0;
    }
  }
  if (batch.cells.length > 0) yield batch;
}

/** Rows, and their lines in the file. */
interface Batch {
  cells: string[][];
  lines: number[];
}
