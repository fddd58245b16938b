import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureCatalog, impactOfOverlay, learnRegister, overlayOfRegisters, patternsText } from '@marque/catalog';
import { type Decoder, openCatalog, withOverlay } from '@marque/decoder';

import { registerLines } from '../catalog/dist/src/testing/car-registers.js';
import { distinctVins } from './distinct-vins.ts';
import { type Ratio, timesAsLong } from './ratio.ts';
import { median } from './running.ts';
import { inTurns } from './turns.ts';

export const name = 'registers';
export const title =
  'The import of a generated Czech register of a million cars, previewed; and decodes with three registers that have a row for each of these VINs and change no answer, against one row of another maker (same run)';

const VINS = 20_000;
const ROUNDS = 15;
/** 2 % of them have another's engine, 0.1 % of the lines are damaged. */
const FLEET = { cars: 1_000_000, patterns: 2000, noise: 0.02, damaged: 0.001, seed: 1 };
const MINUTE_S = 60;
/** Nobody's WMI. */
const OTHER = 'XA17B5R10G1000001';
const HEADER = 'mask,cars,field,value,agree,against';

/** A register of whole VINs, one of their first ten characters, and recalls' ranges of serial numbers. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const { file } = ensureCatalog();
  const vins = distinctVins(VINS);
  const [few, many] = [overlayFor([OTHER]), overlayFor(vins)];
  const [none = 1, three = 1, again = 1] = inTurns(
    vins,
    [few, many, few].map((overlay) => {
      const decoder = withOverlay(openCatalog(file), overlay);
      return (vin) => decoder.decode(vin);
    }),
  );
  print(`one row                  ${none.toFixed(2)} us a decode (noise: x ${(again / none).toFixed(3)})`);
  print(`three registers          x ${(three / none).toFixed(3)}`);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [bare, loaded] = [few, many].map((overlay) => firstDecodesMs(withOverlay(openCatalog(file), overlay), vins));
    return (loaded ?? 0) / (bare ?? 1);
  });
  print(`first of a variant       x ${median(rounds).toFixed(3)}`);
  const seconds = await importSeconds();
  print(`a million cars           ${seconds.toFixed(1)} s`);
  return [
    {
      what: 'Import of a register of a million cars',
      beside: 'a minute',
      ratio: seconds / MINUTE_S,
      aim: '≤ 1',
      users: {
        question: 'How long does it take to import a register of a million cars?',
        answer: `${Math.round(seconds)} seconds`,
      },
    },
    {
      what: 'Time of a decode with three registers',
      beside: 'one row',
      ratio: three / none,
      aim: '≤ 1.1',
      users: { question: 'Do three imported registers make decoding slower?', answer: timesAsLong(three / none) },
    },
    { what: 'Time of the first decode of a variant with three registers', beside: 'one row', ratio: median(rounds) },
  ];
}

/** Reads a register's file and reports its effect, as `marque catalog import` does. */
async function importSeconds(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  try {
    const file = join(folder, 'czech.csv');
    await writeFile(file, lines());
    const started = performance.now();
    const imported = await learnRegister('czech', [file], { folder });
    if (imported.kind === 'refused') throw new Error(imported.reason);
    const kept = { register: 'czech', imported: '2026-11-24', patterns: patternsText(imported.patterns) };
    const overlay = overlayOfRegisters([kept]);
    const base = openCatalog(ensureCatalog().file);
    impactOfOverlay(base, withOverlay(base, overlay.bytes), overlay);
    return (performance.now() - started) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* lines(): Generator<string> {
  for (const line of registerLines('czech', FLEET)) yield `${line}\r\n`;
}

function cars(mask: string): string {
  return `${mask},100,years,1980-2030,100,0`;
}

function overlayFor(vins: readonly string[]): Uint8Array {
  const text = (lineOf: (vin: string) => string): string => [HEADER, ...new Set(vins.map(lineOf))].join('\n');
  const imported = '2026-11-24';
  const registers = [
    { register: 'czech', imported, patterns: text((vin) => cars(`${vin.slice(0, 8)}.${vin.slice(9, 11)}......`)) },
    { register: 'spain', imported, patterns: text((vin) => cars(`${vin.slice(0, 8)}.${vin.slice(9, 10)}.......`)) },
    {
      register: 'dvsa',
      imported,
      patterns: text((vin) => `${vin.slice(0, 8)}.${vin.slice(9, 12)}@00000-99999,1,built,1980-2030,1,0`),
    },
  ];
  return overlayOfRegisters(registers).bytes;
}

function firstDecodesMs(decoder: Decoder, vins: readonly string[]): number {
  const started = performance.now();
  for (const vin of vins) decoder.decode(vin);
  return performance.now() - started;
}
