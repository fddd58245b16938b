import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type GeneratedRegister, registerLines } from './car-registers.ts';

// Writes a generated register: node dist/src/testing/write-cars-register.js REGISTER FILE [CARS] [PATTERNS]
const [register = 'czech', file = 'register.csv', cars = '1000000', patterns = '2000'] = process.argv.slice(2);
const fleet = { cars: Number(cars), patterns: Number(patterns), noise: 0.02, damaged: 0.001, seed: 1 };

function* text(): Generator<string> {
  for (const line of registerLines(register as GeneratedRegister, fleet)) yield `${line}\r\n`;
}

await pipeline(
  Readable.from(text()),
  createWriteStream(file, { encoding: register === 'spain' || register === 'slovenia' ? 'latin1' : 'utf8' }),
);
