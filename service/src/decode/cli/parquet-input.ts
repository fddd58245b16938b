import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

import { cellText, csvLine } from '../../kernel/csv/csv.ts';
import { CommandError } from '../../kernel/cli/io.ts';

/** Rows that are passed on together. */
const ROWS_A_CHUNK = 1_000;

/** A Parquet file as CSV with commas: all that reads CSV reads it. */
interface ParquetTable {
  columns: string[];
  header: string;
  /** Its rows, a row group in memory at a time. */
  rows: AsyncIterable<string>;
}

/**
 * Opens a Parquet file, compressed in any usual way.
 *
 * @throws CommandError when it is damaged.
 */
export async function openParquet(path: string): Promise<ParquetTable> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file).catch(() => {
    throw new CommandError(`${path} is a damaged Parquet file.`);
  });
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
  async function* rows(): AsyncGenerator<string> {
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const records: Record<string, unknown>[] = await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart,
        rowEnd,
      });
      for (let start = 0; start < records.length; start += ROWS_A_CHUNK) {
        const chunk = records.slice(start, start + ROWS_A_CHUNK);
        yield chunk.map((record) => lineOf(columns.map((name) => cellText(record[name])))).join('');
      }
      rowStart = rowEnd;
    }
  }
  return { columns, header: csvLine(columns, ','), rows: rows() };
}

/** A row of one empty cell would be an empty line, which readers skip. */
function lineOf(cells: readonly string[]): string {
  return cells.length === 1 && cells[0] === '' ? '""\r\n' : csvLine(cells, ',');
}
