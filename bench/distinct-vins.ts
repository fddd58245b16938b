import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT, randomNumbers, readLabeled } from '@marque/catalog';
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
