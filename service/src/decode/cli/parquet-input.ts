import type { Row } from '@marque/catalog/tables';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

import { CommandError } from '../../kernel/cli/io.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { parquetTable } from '../../kernel/csv/parquet-in.ts';

/** Rows that are read together. */
const ROWS_A_CHUNK = 10_000;

/**
 * Opens a Parquet file, compressed in any usual way. A part of a row group is in memory at a time.
 *
 * @throws CommandError when it is damaged; reading its rows throws the same.
 */
export async function openParquet(path: string): Promise<{
  form: string;
  names: string[];
  kinds: () => Promise<ColumnKind[]>;
  rows: AsyncIterable<Row[]>;
}> {
  const file = await asyncBufferFromFile(path);
  const damaged = (): never => {
    throw new CommandError(`${path} is a damaged Parquet file, or has a part that is not read here.`);
  };
  const metadata = await parquetMetadataAsync(file, { geoparquet: false }).catch(damaged);
  const { names, kinds, groups, rows } = parquetTable(file, metadata, compressors);
  async function* all(): AsyncGenerator<Row[]> {
    let start = 0;
    for (const count of groups) {
      for (let from = start; from < start + count; from += ROWS_A_CHUNK) {
        const some = await rows(from, Math.min(from + ROWS_A_CHUNK, start + count)).catch(damaged);
        yield some.map((cells, index) => ({ line: from + index + 1, cells }));
      }
      start += count;
    }
  }
  return { form: 'Parquet', names, kinds: async () => kinds, rows: all() };
}
