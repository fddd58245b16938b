import { parsePattern, type PositionSet, VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readWmis, sharedWmis } from '../wmi/wmis.ts';
import { interpret } from './interpret.ts';
import { loadWorld } from './load.ts';
import type { VinLayout } from './model.ts';
import { compiledFacts } from './testing/compiled-facts.ts';

const YEAR = 2026;

const layouts = loadWorld();
const wmis = readWmis();
const shared = sharedWmis(wmis);
const byWmi = new Map<string, VinLayout[]>();
for (const layout of layouts) {
  for (const wmi of layout.wmis) byWmi.set(wmi, [...(byWmi.get(wmi) ?? []), layout]);
}

/** VINs that meet the facts: a layout's WMI and condition, a few of its rows' patterns, and chance in the rest. */
const vins = fc
  .tuple(
    fc.nat(layouts.length - 1),
    fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    fc.nat(),
    fc.array(fc.nat(VIN_CHARACTERS.length - 1), { minLength: 17, maxLength: 17 }),
  )
  .map(([index, rows, pick, rest]) => {
    const layout = layouts[index];
    const vin = rest.map((code) => VIN_CHARACTERS.charAt(code));
    if (layout === undefined) return vin.join('');
    const patterns = [layout.when[pick % Math.max(1, layout.when.length)]];
    for (const row of rows) patterns.unshift(layout.rows[row % Math.max(1, layout.rows.length)]?.pattern);
    for (const pattern of patterns) write(vin, pattern === undefined ? [] : parsePattern(pattern), pick);
    const wmi = layout.wmis[pick % layout.wmis.length] ?? '';
    for (const [at, character] of [...wmi].entries()) vin[at < 3 ? at : at + 8] = character;
    return vin.join('');
  });

function write(vin: string[], positions: readonly PositionSet[], pick: number): void {
  for (const [at, set] of positions.entries()) if (set !== undefined) vin[at] = set.charAt(pick % set.length);
}

function plain(vin: string): unknown {
  const short = byWmi.get(vin.slice(0, 3)) ?? [];
  const long = vin.charAt(2) === '9' ? (byWmi.get(vin.slice(0, 3) + vin.slice(11, 14)) ?? []) : [];
  const found = interpret([...long, ...short], vin, YEAR + 1, shared);
  if (found === undefined) return undefined;
  const bodies = found.possibleBodies.toSorted();
  return { layout: found.layout.id, outputs: found.outputs, possibleBodies: bodies };
}

test('the compiled facts read VINs exactly as their plain interpreter does', () => {
  const read = compiledFacts(layouts, wmis, YEAR);
  fc.assert(
    fc.property(vins, (vin) => {
      const reading = read(vin);
      expect(reading && { ...reading, possibleBodies: reading.possibleBodies.toSorted() }).toEqual(plain(vin));
    }),
    { numRuns: Number(process.env['MARQUE_COMPARED_VINS'] ?? 5_000) },
  );
}, 300_000);
