import { ensureCatalog } from '@marque/catalog';
import { openCatalog, VIN_CHARACTERS } from '@marque/decoder';

import { correctedDecoder } from '../service/dist/corrections/corrected-decoder.js';
import { type IndexedOverride, OverrideIndex } from '../service/dist/corrections/override-index.js';

import { distinctVins } from './distinct-vins.ts';
import { type Ratio, timesAsLong } from './ratio.ts';
import { settledMemory } from './settled-memory.ts';
import { inTurns } from './turns.ts';

export const name = 'corrections';
export const title =
  'Decodes with 100,000 overrides loaded, none of them for these VINs, against none at all (same run)';

const OVERRIDES = 100_000;
const VINS = 20_000;
const MIB = 1024 * 1024;

/**
 * Decoders without overrides, with overrides for other variants, and with overrides for single cars of these very
 * variants.
 */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const decoder = openCatalog(ensureCatalog().file);
  const vins = distinctVins(VINS);
  // For makers of few vehicles an override names six characters.
  const wmis = [...new Set(vins.map((vin) => vin.slice(0, 3)))].filter((wmi) => !wmi.endsWith('9'));
  const before = await settledMemory();
  const started = performance.now();
  const index = filled(wmis);
  const filledMs = performance.now() - started;
  const heldMiB = ((await settledMemory()) - before) / MIB;
  const none = new OverrideIndex();
  const alike = ofSingleCars(vins);
  const decoders = [none, index, alike, none].map((each) => correctedDecoder({ decoder }, () => each));
  const [bare = 1, loaded = 1, besideAlike = 1, again = 1] = inTurns(
    vins,
    decoders.map((each) => (vin) => each.decode(vin)),
  );
  print(`no override              ${bare.toFixed(2)} us a decode (noise: x ${(again / bare).toFixed(3)})`);
  print(`${index.size.toLocaleString('en')} overrides        x ${(loaded / bare).toFixed(3)}`);
  print(`a car alike has one      x ${(besideAlike / bare).toFixed(3)}`);
  print(`memory for them          ${heldMiB.toFixed(1)} MiB, filled in ${filledMs.toFixed(0)} ms`);
  return [
    {
      what: 'Time of a decode with 100,000 overrides',
      beside: 'none',
      ratio: loaded / bare,
      aim: '≤ 1.05',
      users: {
        question: 'Do 100,000 accepted corrections make decoding slower?',
        answer: timesAsLong(loaded / bare),
      },
    },
    {
      what: 'Time of a decode where each variant has an override for one car',
      beside: 'none',
      ratio: besideAlike / bare,
    },
  ];
}

/** Returns an override for one more car of each of these cars' variants. */
function ofSingleCars(vins: readonly string[]): OverrideIndex {
  const index = new OverrideIndex();
  for (const [order, vin] of vins.entries()) {
    const scope = { kind: 'vin', vin: `${vin.slice(0, 12)}ZZZZZ` } as const;
    index.add({ id: String(order), scope, fields: '{"trim":"Trim"}', order });
  }
  return index;
}

/**
 * Returns an index filled half with single VINs, half with patterns of the very WMIs that are decoded: the dearest
 * case.
 */
function filled(wmis: readonly string[]): OverrideIndex {
  const index = new OverrideIndex();
  for (let count = 0; count < OVERRIDES; count++) {
    const wmi = wmis[count % wmis.length] ?? '1HG';
    const override = overrideOf(count, wmi);
    index.add(override);
  }
  return index;
}

/** Returns an override as it comes from the database: every text is a string of its own. */
function overrideOf(count: number, wmi: string): IndexedOverride {
  const fields = JSON.stringify({
    model: `Model ${count % 500}`,
    trim: `Trim ${count % 50}`,
    'specs.powerKw': 70 + (count % 90),
  });
  const id = `0199${count.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;
  const digits = inVinCharacters(count);
  const scope =
    count % 2 === 0
      ? ({ kind: 'vin', vin: `${wmi}XX${digits}XXXXXXXX`.slice(0, 17) } as const)
      : ({ kind: 'pattern', wmi, pattern: digits, years: [2000, 2010] } as const);
  return structuredClone({ id, scope, fields, order: count });
}

/** Returns a number as four characters, and one that few VINs have at position 8. */
function inVinCharacters(count: number): string {
  let text = '';
  for (let rest = count, place = 0; place < 4; place++) {
    text += VIN_CHARACTERS.charAt(rest % VIN_CHARACTERS.length);
    rest = Math.floor(rest / VIN_CHARACTERS.length);
  }
  return `${text}X`;
}
