import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { catalogFile } from '@marque/catalog';
import { openCatalog } from '@marque/decoder';

/** Measures reading lines and writing as much JSON without decoding: the yardstick of `files.ts`. */
const REPORTS = 10_000;
const CHUNK_CHARACTERS = 65_536;

const decoder = openCatalog(catalogFile());
const reports: { vin: string }[] = [];
let chunk = '';
let count = 0;
for await (const vin of createInterface({ input: createReadStream(process.argv[2] ?? '') })) {
  if (reports.length < REPORTS) reports.push(decoder.decode(vin));
  const report = reports[count++ % reports.length];
  chunk += `${JSON.stringify(Object.assign(report ?? {}, { vin }))}\n`;
  if (chunk.length < CHUNK_CHARACTERS) continue;
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  chunk = '';
}
process.stdout.write(chunk);
