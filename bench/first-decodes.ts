import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { randomNumbers } from '@marque/catalog';
import { type Decoder, squishOf } from '@marque/decoder';

import { distinctVins } from './distinct-vins.ts';

// Compares first decodes of a kind between built checkouts, in turns: `node bench/first-decodes.ts . ../other`. Each
// round opens decoders that have seen no VIN; of each slice of VINs the shortest time of all rounds counts, which a
// busy machine disturbs least.

/** Rounds that warm the code up, and rounds that are measured. */
const WARM = 3;
const ROUNDS = 6;
/** VINs in a slice: a third of a millisecond's work, less than a busy machine lets a process run for. */
const SLICE = 4;
const VINS = 20_000;

interface Build {
  open: () => Decoder;
  /** By slice: the shortest time in milliseconds of first decodes, and of repeated ones. */
  first: Float64Array;
  repeated: Float64Array;
}

const slices = slicesOf(shuffledKinds());
const builds = await Promise.all(process.argv.slice(2).map((root) => buildAt(resolve(root))));
for (let round = 0; round < WARM + ROUNDS; round++) measure(round);
for (const { first, repeated } of builds) {
  process.stdout.write(`first ${perVin(first)} us, repeated ${perVin(repeated)} us a VIN\n`);
}

/** VINs, each of a kind of its own, in an order that no kind follows. */
function shuffledKinds(): string[] {
  const random = randomNumbers(7);
  const kinds = [...new Map(distinctVins(VINS).map((vin) => [squishOf(vin), vin])).values()];
  return kinds
    .map((vin) => ({ vin, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ vin }) => vin);
}

function slicesOf(vins: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(vins.length / SLICE) }, (_, at) => vins.slice(at * SLICE, (at + 1) * SLICE));
}

async function buildAt(root: string): Promise<Build> {
  const module: unknown = await import(pathToFileURL(join(root, 'decoder/dist/index.js')).href);
  if (!hasOpenCatalog(module)) throw new Error(`${root} has no built decoder. Run npm run build there.`);
  const bytes = readFileSync(join(root, 'catalog/build/marque.catalog'));
  return { open: () => module.openCatalog(bytes), first: times(), repeated: times() };
}

function hasOpenCatalog(module: unknown): module is { openCatalog: (bytes: Uint8Array) => Decoder } {
  return typeof module === 'object' && module !== null && 'openCatalog' in module;
}

/** Returns room for the shortest time of each slice. */
function times(): Float64Array {
  return new Float64Array(slices.length).fill(Infinity);
}

/** Decodes all VINs three times with new decoders; the third time is the repeated one, when reports are kept. */
function measure(round: number): void {
  const opened = builds.map((build) => ({ build, decoder: build.open() }));
  for (const pass of ['first', 'between', 'repeated'] as const) {
    for (const [at, vins] of slices.entries()) {
      const turns = (round + at) % 2 === 0 ? opened : opened.toReversed();
      for (const { build, decoder } of turns) {
        const started = performance.now();
        for (const vin of vins) decoder.decode(vin);
        const time = performance.now() - started;
        if (round >= WARM && pass !== 'between') build[pass][at] = Math.min(build[pass][at] ?? Infinity, time);
      }
    }
  }
}

function perVin(times: Float64Array): string {
  const total = times.reduce((sum, time) => sum + time, 0);
  return ((total * 1000) / slices.reduce((sum, { length }) => sum + length, 0)).toFixed(1);
}
