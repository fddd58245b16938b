import { readRows } from '../kernel/csv/read.ts';

/** Returns a CSV text as rows of cells. */
export async function tableOf(text: string): Promise<string[][]> {
  const table: string[][] = [];
  for await (const rows of readRows(text)) table.push(...rows.map(({ cells }) => cells));
  return table;
}
