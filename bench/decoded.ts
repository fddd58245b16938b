import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { openCatalog } from '@marque/decoder';

import { CATALOG, type Workplace } from './recipes.ts';

const VIN_LENGTH = 17;

/** The fields of the function in ClickHouse. */
const OF_FUNCTION = ['manufacturer', 'model', 'modelYear', 'specs.powerKw'];

const decoder = openCatalog(CATALOG);

/** The hash of the catalog that the package contains. */
export const HASH = decoder.info.hash;

/** Checks that a file of decoded rows is whole, and each of its values is the decoder's. @throws Error otherwise. */
export function checkFile(place: Workplace, text: string, file: number): void {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split(',');
  const fields = names.slice(2, -2);
  if (names.slice(0, 2).join() !== 'id,vin' || names.slice(-2).join() !== 'error,catalog' || fields.length < 4) {
    throw new Error(`These are not the columns: ${head}`);
  }
  const vins = place.vinsOf(file);
  if (lines.length !== vins.length) throw new Error(`${lines.length} of ${vins.length} rows`);
  for (const [row, vin] of vins.entries()) {
    const cells = [String(place.firstOf(file) + row), vin, ...valuesOf(vin, fields), '', HASH];
    const line = cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join();
    if (line !== lines[row]) throw new Error(`${lines[row]}\nshould be\n${line}`);
  }
}

/** Checks ClickHouse's output in the same way: tab-separated, in any order. */
export async function checkTable(place: Workplace, path: string): Promise<void> {
  const vins = Buffer.concat(
    Array.from({ length: place.files }, (_, file) => Buffer.from(place.vinsOf(file).join(''), 'latin1')),
  );
  const seen = new Uint8Array(place.rows);
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [id = '', vin = ''] = line.split('\t', 2);
    const expected = valuesOf(vin, OF_FUNCTION).map((value) => value || '\\N');
    const its = vins.toString('latin1', Number(id) * VIN_LENGTH, (Number(id) + 1) * VIN_LENGTH);
    const isRight = its === vin && line === [id, vin, ...expected, '\\N', HASH].join('\t');
    if (!isRight || seen[Number(id)] === 1) throw new Error(line);
    seen[Number(id)] = 1;
    count += 1;
  }
  if (count !== place.rows) throw new Error(`${count} of ${place.rows} rows`);
}

function valuesOf(vin: string, fields: readonly string[]): string[] {
  const report = decoder.decode(vin);
  return fields.map((field) => {
    let value: unknown = report;
    for (const name of field.split('.'))
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}
