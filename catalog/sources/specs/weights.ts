import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import type { SpecRow } from '../../src/specs/columns.ts';
import type { SpecSource } from '../../src/specs/load.ts';
import { ALL_WHEELS, MILD } from './ademe.ts';
import { defined } from './epa.ts';
import { type ListedGeneration, withGenerations } from './listed-generations.ts';

/** ADEME's lists with the year in which their cars were on sale. */
const LISTS = [
  { id: 'ademe-2014', year: 2014 },
  { id: 'ademe-2024', year: 2024 },
] as const;

/** Lists round the horsepower of an engine to kilowatts differently. */
const ROUNDING_KW = 1;

/** The last years of a generation in which it had its final engines and equipment. */
const LAST_YEARS = 6;

/** Bodies that ADEME calls a BERLINE and leaves without a body. */
const CLOSED: ReadonlySet<BodyStyle> = new Set(['sedan', 'hatchback', 'suv', 'van', 'coupe']);

/**
 * Returns the curb weights of ADEME's lists for the whole time of the generation that was on sale: by body, and by the
 * engine's size or, for makes whose badge is a number, by badge. Bodies of which two generations were sold in one year
 * that the list does not distinguish, electric motors, mild hybrids, and badges without either are left out.
 */
export function weightsOf(sources: readonly SpecSource[], named: readonly ListedGeneration[]): SpecRow[] {
  const rowsOf = (id: string): readonly SpecRow[] => sources.find((source) => source.id === id)?.rows ?? [];
  const generations = Map.groupBy(rowsOf('europe'), ({ make, model }) => `${make}|${model}`);
  const engines = Map.groupBy(rowsOf('ratings-europe'), ({ make, model }) => `${make}|${model}`);
  const oneDrive = rowsOf('one-drive').filter(({ fuel, cc }) => fuel === undefined && cc === undefined);
  return LISTS.flatMap(({ id, year }) => {
    const listed = withGenerations(rowsOf(id), id, named);
    const renewed = new Set(listed.filter(isNew).map(({ make, model }) => `${make}|${model}`));
    return listed.flatMap((row) => {
      const { make, model, fuel, powerKw, curbKg, gearbox } = row;
      if (curbKg === undefined) return [];
      const ofFamily = generations.get(`${make}|${model}`) ?? [];
      const ofYear = ofFamily.filter((of) => maySell(of, row, year));
      const bodies = bodiesOf(row, ofYear);
      // Closed bodies of several generations (W212, C207): the list does not say which of them it means.
      const possible = ofYear.filter(({ body }) => bodies.some((known) => known === body));
      if (row.body === undefined && new Set(possible.map((of) => of.generation)).size > 1) return [];
      return bodies.flatMap((body) => {
        const ofBoth = ofYear.filter((of) => of.body === body);
        const isUnnamed = row.generation === undefined && renewed.has(`${make}|${model}`);
        const ofBody = isUnnamed ? ofName(row, ofBoth, year) : ofBoth;
        const [generation, ...others] = new Set(ofBody.map((of) => of.generation));
        // A family without generations had one alone.
        if (ofBody.length === 0 || others.length > 0) return [];
        if (generation === undefined && ofFamily.some((of) => of.generation !== undefined)) return [];
        const engine = engineOf(row, generation, engines.get(`${make}|${model}`) ?? []);
        if (engine === undefined) return [];
        // Vans of a family that has one pair of driven wheels are converted by others.
        const isConverted =
          engine.drive !== undefined && oneDrive.some((of) => isOther(of, row, generation, engine.drive));
        if (isConverted) return [];
        const since = row.generation === undefined ? 0 : year - LAST_YEARS;
        const [from, to] = [Math.min(...ofBody.map((of) => of.from)), Math.max(...ofBody.map((of) => of.to))];
        const known = defined({ vin: row.vin, generation, fuel, powerKw, gearbox });
        return [{ make, model, ...engine, from: Math.max(from, since), to, body, ...known, curbKg }];
      });
    });
  });
}

/** Returns true if a generation is the row's own, or, if the row names none, was on sale in the list's year. */
function maySell({ generation, from, to }: SpecRow, row: SpecRow, year: number): boolean {
  return row.generation === undefined ? from <= year && year <= to : generation === row.generation;
}

/** Returns true if a family of one drive is the row's, and of another drive. */
function isOther(
  family: SpecRow,
  { make, model }: SpecRow,
  generation: string | undefined,
  drive: string | undefined,
): boolean {
  if (family.make !== make || family.model !== model || family.drive === drive) return false;
  return family.generation === undefined || family.generation === generation;
}

/** Returns true if the list calls it the new one of two by its name: "Nouvelle 308". */
function isNew({ badge = '' }: SpecRow): boolean {
  return /\bnouve(?:au|lle)\b/i.test(badge);
}

/**
 * Returns the one of two generations on sale that the row's name means. It does not exclude one that began in the
 * list's own year, which may have come after the list.
 */
function ofName(row: SpecRow, generations: readonly SpecRow[], year: number): readonly SpecRow[] {
  const latest = Math.max(...generations.map(({ from }) => from));
  if (latest === year || generations.every(({ from }) => from === latest)) return generations;
  return generations.filter(({ from }) => (from === latest) === isNew(row));
}

/**
 * Returns the badge that names the engine ("320d", "C 220"), else its size, by its power if the list has none, and its
 * drive.
 */
function engineOf(
  row: SpecRow,
  generation: string | undefined,
  engines: readonly SpecRow[],
): Partial<SpecRow> | undefined {
  const { make, fuel, cc, badge = '' } = row;
  // A mild hybrid may follow, within a generation, an engine without a motor.
  if (fuel === 'Electric' || badge.includes(MILD)) return undefined;
  const name = BADGES.get(make)?.exec(badge)?.[1];
  if (BADGES.has(make)) {
    const drive = ALL_WHEELS.exec(badge)?.[0];
    return name === undefined ? undefined : { badge: drive === undefined ? name : `${name} ${drive}` };
  }
  const liters = Number(/\b([0-9][.,][0-9])(?![0-9])/.exec(badge)?.[1]?.replace(',', '.') ?? 0);
  const size = cc ?? (liters === 0 ? sizeOf(row, generation, engines) : liters * 1000);
  // All wheels driven weigh more than a bound of 5 % covers.
  return size === undefined ? undefined : { cc: size, ...(ALL_WHEELS.test(badge) ? { drive: 'All-wheel drive' } : {}) };
}

/** Returns the size of the one engine of the generation that had this power and fuel. */
function sizeOf(
  { fuel, powerKw = 0 }: SpecRow,
  generation: string | undefined,
  engines: readonly SpecRow[],
): number | undefined {
  const alike = engines.filter(
    (engine) =>
      engine.fuel === fuel &&
      (engine.generation ?? generation) === generation &&
      Math.abs((engine.powerKw ?? 0) - powerKw) <= ROUNDING_KW,
  );
  const [size, ...others] = new Set(alike.map(({ cc }) => cc));
  return others.length === 0 ? size : undefined;
}

/** Makes whose badge names the engine. */
const BADGES: ReadonlyMap<string, RegExp> = new Map([
  ['BMW', /\b([xs]Drive\d\d[die]|M\d\d[di]|M?\d{3}[deix]+)\b/],
  ['Mercedes-Benz', /\b(\d{2,3})\b/],
]);

/**
 * Returns the rows of a list, one without a body as rows of each closed body of its family, if the list has wagons of
 * it, too: the weight of a BERLINE is not that of a wagon, nor of a coupe if the list has coupes by that name.
 */
export function withClosedBodies(rows: readonly SpecRow[], bodies: readonly SpecRow[]): SpecRow[] {
  const families = Map.groupBy(bodies, ({ make, model }) => `${make}|${model}`);
  const listed = new Set(rows.map(({ make, model, body }) => `${make}|${model}|${body}`));
  return rows.flatMap((row) => {
    const family = `${row.make}|${row.model}`;
    if (row.body !== undefined || !listed.has(`${family}|wagon`)) return [row];
    const ofYears = (families.get(family) ?? []).filter(({ generation, from, to }) =>
      row.generation === undefined ? from <= row.to && row.from <= to : generation === row.generation,
    );
    const closed = bodiesOf(row, ofYears).filter((body) => body !== 'coupe' || !listed.has(`${family}|coupe`));
    return closed.length === 0 ? [row] : closed.map((body) => Object.assign({}, row, { body }));
  });
}

/** Returns the row's body; of a car without one, each closed body of the family. */
function bodiesOf({ body }: SpecRow, ofYear: readonly SpecRow[]): BodyStyle[] {
  const known = BODY_STYLES.filter((style) => ofYear.some((of) => of.body === style));
  if (body !== undefined) return known.filter((style) => style === body);
  return known.filter((style) => CLOSED.has(style));
}
