import { checkDigitOf, openCatalog } from '@marque/decoder';
import { beforeAll, describe, expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { filedVins } from '../testing/filed-vins.ts';
import { packagedTables } from '../testing/packaged-tables.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { readWmis } from './wmis.ts';

/** NHTSA's number of the element that holds the make. */
const MAKE = 26;
const CYCLE = 30;
const LATEST = 2028;
const LOW_SPEED = 9;
/** Of so many VINs one is read. */
const SAMPLED = 12;

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const ours = new Map(readWmis().map(({ wmi, makes, mainMake }) => [wmi, mainMake === undefined ? makes.length : 1]));
let tables: VpicTables;
beforeAll(() => {
  tables = packagedTables();
}, 600_000);

function makeInView(vin: string, year?: number): string | undefined {
  return decoder.vpic(vin, year).find(([element]) => element === MAKE)?.[1];
}

/** Returns for each WMI how many makes NHTSA's list or ours has, whichever is more. */
function makesOf(): Map<string, number> {
  const listed = Map.groupBy(tables.wmis, ({ wmi }) => wmi);
  return new Map(
    [...listed].map(([wmi, rows]) => [
      wmi,
      Math.max(new Set(rows.flatMap(({ makes }) => makes)).size, ours.get(wmi) ?? 0),
    ]),
  );
}

function withType(wmi: VpicTables['wmis'][number], vehicleType: number): VpicTables['wmis'][number] {
  return { ...wmi, vehicleType };
}

describe('a WMI of which NHTSA lists one make', () => {
  test('has a make, whatever follows', () => {
    const unknown: string[] = [];
    const shared = makesOf();
    for (const { wmi, makes, published } of tables.wmis) {
      if (!published || makes.length !== 1 || shared.get(wmi) !== 1 || /[IOQ]/.test(wmi)) continue;
      const vin = `${wmi.slice(0, 3)}ZZZZZZ5Z${wmi.length > 3 ? wmi.slice(3) : '000'}456`;
      if (decoder.decode(vin).manufacturer === undefined) unknown.push(vin);
    }
    expect(unknown).toEqual([]);
  });

  test('has a make where the vPIC view of a VIN that was filed has one, unless its two years are of two makes', () => {
    let seed = 20_261_128;
    const pick = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const shared = makesOf();
    // All vehicles are drawn, as those are of which position 7 does not tell the cycle.
    const all = { ...tables, wmis: tables.wmis.map((wmi) => withType(wmi, LOW_SPEED)) };
    const unknown: string[] = [];
    for (const { vin, year } of filedVins(all, LATEST, pick)) {
      if (pick(SAMPLED) > 0 || /[IOQ]/.test(vin) || decoder.decode(vin).manufacturer !== undefined) continue;
      const wmi = vin.charAt(2) === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3);
      const make = makeInView(vin);
      if (make === undefined || shared.get(wmi) !== 1) continue;
      const other = [year - CYCLE, year, year + CYCLE].map((one) => makeInView(vin, one));
      if (!other.some((one) => one !== undefined && one !== make)) unknown.push(`${vin} ${make}`);
    }
    expect(unknown).toEqual([]);
  }, 300_000);
});

test('Chinese and Indian makers that NHTSA does not list have a make by their WMI', () => {
  const vins = ['LJUEABAA?R1012345', 'LRBFX2SA?KD012345', 'LYVUZ10L?NB012345', 'MBHV2U4S151012345'].map((vin) =>
    vin.replace('?', checkDigitOf(vin.replace('?', '0'))),
  );
  expect(vins.map((vin) => decoder.decode(vin).manufacturer)).toEqual(['Lotus', 'Buick', 'Volvo', 'Nissan']);
});
