import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type GeneratedRegister, registerLines } from './car-registers.ts';
import { approvalLines, recallLines } from './type-registers.ts';

// Writes a generated register: node dist/src/testing/write-cars-register.js REGISTER FILE [CARS] [PATTERNS]
const [register = 'czech', file = 'register.csv', cars = '1000000', patterns = '2000'] = process.argv.slice(2);
const fleet = { cars: Number(cars), patterns: Number(patterns), noise: 0.02, damaged: 0.001, seed: 1 };

function lines(): Generator<string> {
  if (register === 'dvsa') return recallLines({ ...fleet, records: fleet.cars });
  if (register === 'norway') return approvalLines({ ...fleet, records: fleet.cars });
  return registerLines(register as GeneratedRegister, fleet);
}

function* text(): Generator<string> {
  for (const line of lines()) yield `${line}\r\n`;
}

await pipeline(
  Readable.from(text()),
  createWriteStream(file, { encoding: ['spain', 'slovenia', 'norway'].includes(register) ? 'latin1' : 'utf8' }),
);
