import { TableError } from '@marque/catalog/tables';

import { readRows } from '../kernel/csv/read.ts';
import type { BackupRow, Conversions, ConvertedRow } from '../kernel/db/index.ts';
import { bytesOf, PageWriter, rowsText, type StoredPage } from './file-pages.ts';

/** Files, as programs up to 22 November 2026 kept them: whole, in the column `source`, with `has_header`. */
export const FILE_CONVERSIONS: Conversions = {
  async vin_files(row, leaveOut) {
    const { source, has_header: hasHeader, ...kept } = row;
    if (typeof source !== 'string') return [{ table: 'vin_files', row }];
    const { header, pages } = await cut(source, hasHeader === 1).catch((error: unknown) => {
      if (!(error instanceof TableError)) throw error;
      leaveOut(`The rows of the file "${String(row['name'])}" (${String(row['id'])}) are left out: ${error.message}`);
      return { header: undefined, pages: [] };
    });
    const file = {
      ...kept,
      header: header === undefined ? null : JSON.stringify(header),
      delimiter: delimiterIn(source),
      bytes: bytesOf(pages),
      ...(pages.length === 0 ? { state: 'completed', finished_at: row['finished_at'] ?? row['created_at'] ?? 0 } : {}),
    };
    return [{ table: 'vin_files', row: file }, ...pages.map((page) => pageRow(row, page))];
  },
};

async function cut(
  source: string,
  hasHeader: boolean,
): Promise<{ header: readonly string[] | undefined; pages: readonly StoredPage[] }> {
  const writer = new PageWriter();
  let header: readonly string[] | undefined;
  for await (const rows of readRows(source, { delimiter: delimiterIn(source), skipped: 0, skippedLines: 0 })) {
    for (const row of rows) {
      if (hasHeader && header === undefined) header = row.cells;
      else writer.add(row);
    }
  }
  writer.end();
  return { header, pages: writer.pages };
}

function pageRow({ id = null }: BackupRow, { first_row, ...page }: StoredPage): ConvertedRow {
  return { table: 'vin_file_pages', row: { file_id: id, first_row, rows: rowsText(page) } };
}

const DELIMITERS = [',', ';', '\t'];

/** Returns the delimiter as those programs found it: the stored decodes belong to the rows that it makes. */
function delimiterIn(text: string): string {
  const line = /^[^\r\n]*/.exec(text.slice(0, 65_536))?.[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
