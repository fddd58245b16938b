import { randomNumbers } from '@marque/catalog';
import { VIN_CHARACTERS } from '@marque/decoder';
import { expect, test } from 'vitest';

import { decoder } from '../testing/decoder.ts';

/** Many more in the drills. */
const VINS = Number(process.env['MARQUE_DECODED_VINS'] ?? 30_000);
const SEED = Number(process.env['MARQUE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const REAL = ['1HGCM82633A004352', 'WVWZZZ1KZAW000001', 'WP0ZZZ99ZTS392124', 'JTDBR32E720123456', 'VF1RFB00X56789012'];

/** Draws a VIN: half of them at random, half real ones with up to four characters changed. */
function vinFrom(random: () => number): string {
  const pick = (text: string): string => text.charAt(Math.floor(random() * text.length));
  if (random() < 0.5) return Array.from({ length: 17 }, () => pick(VIN_CHARACTERS)).join('');
  const vin = [...(REAL[Math.floor(random() * REAL.length)] ?? '')];
  for (let changes = Math.floor(random() * 5); changes > 0; changes--) {
    vin[Math.floor(random() * 17)] = pick(VIN_CHARACTERS);
  }
  return vin.join('');
}

/** Decodes many VINs. Returns the faults of the answers, and the longest time that one took. */
function decodeMany(): { faults: string[]; slowestMs: number } {
  const random = randomNumbers(SEED);
  const faults: string[] = [];
  let slowestMs = 0;
  for (let count = 0; count < VINS; count++) {
    const vin = vinFrom(random);
    const began = performance.now();
    const report = decoder.decode(vin);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if (report.vin !== vin || report.wmi !== vin.slice(0, 3)) faults.push(`${vin} is read as another`);
    const isChecked = count % 100 === 0;
    if (isChecked && JSON.stringify(decoder.decode(vin)) !== JSON.stringify(report))
      faults.push(`${vin} has two answers`);
  }
  return { faults, slowestMs };
}

test('any VIN is decoded without a fault, to the same report each time', { timeout: 60_000 + VINS }, () => {
  const { faults, slowestMs } = decodeMany();
  process.stdout.write(`${VINS} VINs, seed ${SEED}, the slowest ${slowestMs.toFixed(1)} ms\n`);
  expect(faults).toEqual([]);
});
