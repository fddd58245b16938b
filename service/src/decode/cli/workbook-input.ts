import { type Row, TableError } from '@marque/catalog/tables';

import { CommandError } from '../../kernel/cli/io.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { openWorkbook as open } from '../../kernel/csv/workbook-in.ts';
import { COLUMNS } from '../../kernel/csv/xlsx/sheet.ts';

/** The texts that the cells of a workbook share are in memory together; a million VINs are 18 million characters. */
const BOUNDS = { bytes: undefined, characters: 400_000_000, columns: COLUMNS };

/** The table of a workbook. */
interface WorkbookInput {
  form: string;
  kinds: () => Promise<readonly ColumnKind[]>;
  rows: AsyncIterable<readonly Row[]>;
}

/**
 * Opens an .xlsx workbook: its first visible sheet with VINs. Its rows are read as they are asked for.
 *
 * @param name for messages.
 * @param source its path or its bytes.
 * @throws CommandError when it is not a workbook, or damaged; reading its rows throws the same.
 */
export async function openWorkbook(name: string, source: string | Uint8Array, column: string): Promise<WorkbookInput> {
  const refused = (error: unknown): never => {
    const damaged = 'The workbook is damaged. Open it, and save it as .xlsx or CSV.';
    throw new CommandError(`${name}: ${error instanceof TableError ? error.message : damaged}`);
  };
  const book = await open(source, column, BOUNDS).catch(refused);
  async function* rows(): AsyncGenerator<readonly Row[]> {
    try {
      yield* book.rows;
    } catch (error) {
      refused(error);
    } finally {
      book.close();
    }
  }
  return { form: `${book.form}, sheet "${book.sheet}"`, kinds: async () => book.kinds().catch(refused), rows: rows() };
}
