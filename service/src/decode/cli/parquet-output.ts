import { type Column } from '../../kernel/csv/csv.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { ParquetFile, uniqueColumns } from '../../kernel/csv/parquet.ts';
import { type Io, write } from '../../kernel/cli/io.ts';
import { addedColumns } from '../../report/index.ts';
import type { BlockInput, Printed } from './print-blocks.ts';
import { ADDED_COLUMNS, type DecodeCount } from './result.ts';

/** Bytes of text, and rows, that make a row group. */
const GROUP_BYTES = 1_048_576;
const GROUP_LINES_BYTES = 196_608;

/** Rows of a table that is not text that make a row group. */
export const GROUP_ROWS = 10_000;

/** Returns the columns of a file of Parquet: a table's own, or the VIN of a list, and those added. */
export function parquetColumns(names: readonly string[], kinds: readonly ColumnKind[]): Column[] {
  const own = names.map((name, index): Column => ({ name, kind: kinds[index] ?? 'text' }));
  return uniqueColumns([...own, ...addedColumns(ADDED_COLUMNS, names)]);
}

/** Writes printed row groups as one file of Parquet. */
export async function writeParquet(
  columns: readonly Column[],
  printed: AsyncIterable<Printed<BlockInput>>,
  { stdout }: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  const file = await ParquetFile.of(columns);
  for await (const {
    printed: { decoded, refused, bytes, group },
  } of printed) {
    count.decoded += decoded;
    count.refused += refused;
    if (group === undefined) continue;
    for (const part of file.add({ bytes, group })) await write(stdout, part);
    // Frees the memory at once: as garbage it would stay for long.
    bytes.buffer.transfer(0);
  }
  for (const part of file.end()) await write(stdout, part);
  return count;
}

/** Joins blocks of text to such as are worth a row group. */
export async function* groupsOf(blocks: AsyncIterable<BlockInput>): AsyncGenerator<BlockInput> {
  let kept: BlockInput['block'] | undefined;
  for await (const { block } of blocks) {
    const joined = kept && joinedOf(kept, block);
    if (kept !== undefined && joined === undefined) yield { block: kept };
    kept = joined ?? block;
  }
  if (kept !== undefined) yield { block: kept };
}

/** Returns two blocks as one; undefined if they are too long for that, or not alike. */
function joinedOf(first: BlockInput['block'], next: BlockInput['block']): BlockInput['block'] | undefined {
  if (first.kind === 'lines' && next.kind === 'lines') {
    if (first.bytes.length + next.bytes.length > GROUP_LINES_BYTES) return undefined;
    return { ...first, bytes: bothOf(first.bytes, next.bytes) };
  }
  if (first.kind !== 'csv' || next.kind !== 'csv' || next.piece.isCut === true) return undefined;
  if (first.piece.bytes.length + next.piece.bytes.length > GROUP_BYTES) return undefined;
  const piece = { ...first.piece, bytes: bothOf(first.piece.bytes, next.piece.bytes) };
  // Rows are only skipped at the beginning of a text.
  return { ...first, piece, skipped: first.skipped + next.skipped };
}

function bothOf(first: Uint8Array, next: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + next.length);
  both.set(first);
  both.set(next, first.length);
  return both;
}
