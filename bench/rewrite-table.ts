import { once } from 'node:events';
import { createReadStream } from 'node:fs';

import { parse } from 'csv-parse';

/** Reads a CSV table with the library that Marque uses, and writes its rows again: the yardstick of `tables.ts`. */
const CHUNK_CHARACTERS = 65_536;

const lines = createReadStream(process.argv[2] ?? '').pipe(parse());
let chunk = '';
for await (const cells of lines) {
  chunk += `${cells.map((cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
  if (chunk.length < CHUNK_CHARACTERS) continue;
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  chunk = '';
}
process.stdout.write(chunk);
