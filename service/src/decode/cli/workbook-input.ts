import { type Row, TableError } from '@marque/catalog/tables';

import { CommandError } from '../../kernel/cli/io.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { readWorkbook } from '../../kernel/csv/workbook-in.ts';

/**
 * Opens an .xlsx workbook: its sheet with VINs.
 *
 * @throws CommandError when it is none, or damaged.
 */
export async function openWorkbook(
  name: string,
  bytes: Buffer,
  column: string,
): Promise<{ form: string; kinds: readonly ColumnKind[]; rows: AsyncIterable<readonly Row[]> }> {
  try {
    const { form, rows, kinds = [] } = await readWorkbook(new Uint8Array(bytes), column);
    async function* all(): AsyncGenerator<readonly Row[]> {
      yield rows;
    }
    return { form, kinds, rows: all() };
  } catch (error) {
    const reason =
      error instanceof TableError ? error.message : 'The workbook is damaged. Open it, and save it as .xlsx or CSV.';
    throw new CommandError(`${name}: ${reason}`);
  }
}
