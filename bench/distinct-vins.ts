import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT, readLabeled } from '@marque/catalog';
import { checkDigitOf, hasValidCheckDigit } from '@marque/decoder';

/**
 * VINs of the evaluation set's cars, some 13,000 kinds, with other serial numbers, the same ones every time for a seed;
 * nearly all distinct. Check digits are right where the cars' own are: a wrong one is read in another way.
 */
export function distinctVins(count: number, seed = 1): string[] {
  const folder = join(CATALOG_ROOT, 'evaluation');
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const known = files.flatMap((file) => readLabeled(join(folder, file)).map(({ vin }) => vin));
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const vin = known[Math.floor(random() * known.length)] ?? '';
    const other = vin.slice(0, 13) + String(Math.floor(random() * 10_000)).padStart(4, '0');
    return hasValidCheckDigit(vin) ? other.slice(0, 8) + checkDigitOf(other) + other.slice(9) : other;
  });
}

/** Numbers from 0 to 1 (mulberry32), so that each run decodes the same. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
