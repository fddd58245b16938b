import { readRows } from '../kernel/csv/read.ts';

/** A CSV text as rows of cells. */
export async function tableOf(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readRows(text)) rows.push(row);
  return rows;
}
