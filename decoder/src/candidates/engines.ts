import type { Strings } from '../catalog/strings.ts';
import type { Reading } from '../decode/reading.ts';
import type { Draft } from '../report/draft.ts';
import { couldBeFuel } from '../specs/fits.ts';
import type { SpecTables } from '../specs/tables.ts';
import { FIELD } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import type { EngineVariant } from './candidates.ts';
import { type EngineSizes, isSamePower, isSameSize, ONE_ENGINE_CC } from './engine-sizes.ts';
import { litersOf } from './listed-powers.ts';
import { OTHER_YEAR_WEIGHT, type TableRows } from './model-rows.ts';

/** Families with many powers of each size need more than single fields do. */
const MOST_ENGINES = 40;
/** The weight of values from the VIN's own characters: above those that lists name for the model. */
const FACT_WEIGHT = 1000;
/** Variants below this weight are of other years: they do not say that the vehicle's own time had no other power. */
const OWN_TIME = 1;
const CC_A_LITER = 1000;

/** An engine with the weight of its evidence; empty and 0: not known. */
interface Weighed {
  fuel: string;
  cc: number;
  kw: number;
  weight: number;
}

/** The tables from which engines are gathered. */
interface EngineTables {
  world: WorldTables;
  specs: SpecTables;
  strings: Strings;
  sizes: EngineSizes;
}

/** Gathers the engines that a vehicle may have, each as one: its fuel, size and power go together. */
export class EngineFinder {
  readonly #tables: EngineTables;

  constructor(tables: EngineTables) {
    this.#tables = tables;
  }

  /**
   * Finds the engines that the vehicle may have.
   * @param known the values known by now, hints included.
   * @param draft the decoded values.
   * @returns the likeliest first, none if the engine is known.
   */
  find(reading: Reading, known: Draft, draft: Draft, rows: readonly TableRows[]): EngineVariant[] {
    const isOpen = draft.fuelType === '' || draft.powerKw === 0 || (draft.displacementCc === 0 && hasSize(draft));
    if (!isOpen) return [];
    const possible = [...this.#ofFacts(reading), ...this.#ofRows(rows, known)].filter((engine) =>
      agrees(engine, known),
    );
    // If lists name the known power, it is that of their engines, and of no other size.
    const listed = known.powerKw === 0 ? [] : possible.filter(({ cc, kw }) => cc !== 0 && kw !== 0);
    const found = (listed.length > 0 ? listed : possible)
      .map((engine) => withSettled(engine, draft))
      .filter((engine) => tellsMore(engine, draft));
    const engines = merged(found.toSorted((a, b) => b.weight - a.weight));
    const complete = engines.filter((engine) => !engines.some((other) => tellsAll(other, engine)));
    return this.#inOrder(complete, known.make).slice(0, MOST_ENGINES).map(variantOf);
  }

  /**
   * Sorts engines by how likely their size is; within a size, the powers that lists name come first, the usual ones
   * before others.
   */
  #inOrder(engines: readonly Weighed[], make: string): Weighed[] {
    const sizes: Weighed[][] = [];
    for (const engine of engines) {
      const size = sizes.find(([first]) => first?.fuel === engine.fuel && isSameSize(first.cc, engine.cc));
      if (size === undefined) sizes.push([engine]);
      else size.push(engine);
    }
    const likelihood = (size: readonly Weighed[]): number => {
      const share = this.#tables.sizes.share(make, size[0]?.cc ?? 0);
      return Math.max(...size.map(({ weight }) => weight)) * share ** 2;
    };
    return sizes
      .map((size) => ({ size, likelihood: likelihood(size) }))
      .toSorted((a, b) => b.likelihood - a.likelihood)
      .flatMap(({ size }) =>
        size
          .map((engine) => ({ engine, likelihood: engine.weight * this.#tables.sizes.powerShare(make, engine) }))
          .toSorted((a, b) => Number(b.engine.kw !== 0) - Number(a.engine.kw !== 0) || b.likelihood - a.likelihood)
          .map(({ engine }) => engine),
      );
  }

  #ofFacts({ world, pass }: Reading): Weighed[] {
    if (pass !== null || world.layout < 0) return [];
    const { factOutputs, outputStart, outputField, outputValue, factFixed } = this.#tables.world;
    const found: Weighed[] = [];
    for (let index = 0; index < world.factCount; index++) {
      if (world.fit[index] === 0) continue;
      const fact = world.facts[index] ?? 0;
      const outputs = factOutputs[fact] ?? 0;
      const engine = { fuel: '', cc: 0, kw: 0, weight: FACT_WEIGHT * (1 + (factFixed[fact] ?? 0)) };
      for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
        const value = outputValue[at] ?? 0;
        if (outputField[at] === FIELD.fuelType) engine.fuel = this.#tables.strings.get(value);
        else if (outputField[at] === FIELD.displacementCc) engine.cc = value;
        else if (outputField[at] === FIELD.powerKw) engine.kw = value;
      }
      if (engine.fuel !== '' || engine.cc !== 0 || engine.kw !== 0) found.push(engine);
    }
    return found;
  }

  /** Returns the engines that lists name, of other times only where none is of the vehicle's own. */
  #ofRows(tables: readonly TableRows[], known: Draft): Weighed[] {
    const all = tables.flatMap(({ table: { columns }, rows, weights }) =>
      rows.map((row, index): Weighed & { badge: string } => {
        const word = (column: Uint8Array | Uint16Array): string => this.#tables.specs.word(column[row] ?? 0);
        const [cc, kw] = [columns.cc[row] ?? 0, columns.powerKw[row] ?? 0];
        return { fuel: word(columns.fuel), badge: word(columns.badge), cc, kw, weight: weights[index] ?? 0 };
      }),
    );
    const sizes = ofOwnTime(all.filter(({ cc }) => cc !== 0)).toSorted((a, b) => b.weight - a.weight);
    const powers = ofOwnTime(all.filter(({ cc, kw, fuel }) => cc === 0 && (kw !== 0 || fuel === 'Electric')));
    const sized = powers.flatMap((engine) => sizedByBadge(engine, sizes, known.displacementCc));
    return [...sizes, ...sized].filter(({ fuel }) => fuel !== '');
  }
}

/** Returns the engines of the vehicle's own time; those of other times only if there are none. */
function ofOwnTime<Engine extends Weighed>(engines: readonly Engine[]): readonly Engine[] {
  const own = engines.filter(({ weight }) => weight > OTHER_YEAR_WEIGHT);
  return own.length > 0 ? own : engines;
}

/**
 * Returns the engine with the size that its badge means ("2.0 JTDm"): none where no size that remains rounds to so many
 * liters, and none of a badge without liters where the size is known: its power may be another size's.
 */
function sizedByBadge(
  { badge, ...engine }: Weighed & { badge: string },
  sizes: readonly Weighed[],
  knownCc: number,
): Weighed[] {
  const liters = litersOf(badge);
  if (liters === 0) return knownCc === 0 ? [engine] : [];
  const ofFuel = [...sizes.filter(({ fuel }) => fuel === engine.fuel).map(({ cc }) => cc), knownCc];
  const cc = ofFuel.find((size) => Math.abs(size - liters * CC_A_LITER) <= ONE_ENGINE_CC);
  return cc === undefined ? [] : [{ ...engine, cc }];
}

/** Returns true if a vehicle may have an engine with a displacement. */
export function hasSize({ fuelType }: Pick<Draft, 'fuelType'>): boolean {
  return fuelType !== 'Electric' && fuelType !== 'Hydrogen';
}

/** Completes an engine with the decoded values. */
function withSettled({ fuel, cc, kw, weight }: Weighed, draft: Draft): Weighed {
  return { fuel: draft.fuelType || fuel, cc: draft.displacementCc || cc, kw: draft.powerKw || kw, weight };
}

function agrees({ fuel, cc, kw }: Weighed, known: Draft): boolean {
  return (
    couldBeFuel(fuel, known.fuelType) &&
    (known.displacementCc === 0 || hasSize({ fuelType: fuel })) &&
    (cc === 0 || known.displacementCc === 0 || Math.abs(cc - known.displacementCc) <= ONE_ENGINE_CC) &&
    (kw === 0 || known.powerKw === 0 || isSamePower(kw, known.powerKw))
  );
}

function tellsMore({ fuel, cc, kw }: Weighed, draft: Draft): boolean {
  return (
    (draft.fuelType === '' && fuel !== '') ||
    (draft.displacementCc === 0 && cc !== 0) ||
    (draft.powerKw === 0 && kw !== 0)
  );
}

/** Merges engines that differ only by the rounding of their sources. */
function merged(engines: readonly Weighed[]): Weighed[] {
  const kept: Weighed[] = [];
  for (const engine of engines) {
    const same = kept.find(
      (known) =>
        known.fuel === engine.fuel &&
        isSameSize(known.cc, engine.cc) &&
        (known.kw === engine.kw || (known.kw !== 0 && engine.kw !== 0 && isSamePower(known.kw, engine.kw))),
    );
    if (same === undefined) kept.push({ ...engine });
  }
  return kept;
}

/** Returns true if another engine is the same one, with more of its values known. */
function tellsAll(other: Weighed, engine: Weighed): boolean {
  if (other === engine || other.weight < OWN_TIME || other.fuel !== engine.fuel) return false;
  const size = isSameSize(other.cc, engine.cc);
  const power = isSamePower(other.kw, engine.kw);
  if (engine.kw === 0 && engine.cc === 0) return other.kw !== 0 || other.cc !== 0;
  if (engine.kw === 0) return size && other.kw !== 0;
  return engine.cc === 0 && other.cc !== 0 && power;
}

function variantOf({ fuel, cc, kw }: Weighed): EngineVariant {
  return {
    ...(fuel === '' ? {} : { fuelType: fuel }),
    ...(cc === 0 ? {} : { displacementCc: cc }),
    ...(kw === 0 ? {} : { powerKw: kw }),
  };
}
