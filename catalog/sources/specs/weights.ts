import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import type { SpecRow } from '../../src/specs/columns.ts';
import type { SpecSource } from '../../src/specs/load.ts';
import { MILD } from './ademe.ts';
import { defined } from './epa.ts';

/** ADEME's lists with the year in which their cars were on sale. */
const LISTS = [
  { id: 'ademe-2014', year: 2014 },
  { id: 'ademe-2024', year: 2024 },
] as const;

/** What ADEME calls a BERLINE and leaves without a body. */
const CLOSED: ReadonlySet<BodyStyle> = new Set(['sedan', 'hatchback', 'suv', 'van', 'coupe']);

/**
 * The curb weights of ADEME's lists for the whole time of the generation that was on sale: by body, and by the engine's size
 * or, of makes whose badge is a number, by badge. Cars of two generations in one year, of electric motors, mild hybrids and
 * badges without either are left out.
 */
export function weightsOf(sources: readonly SpecSource[]): SpecRow[] {
  const rowsOf = (id: string): readonly SpecRow[] => sources.find((source) => source.id === id)?.rows ?? [];
  const generations = Map.groupBy(rowsOf('europe'), ({ make, model }) => `${make}|${model}`);
  return LISTS.flatMap(({ id, year }) =>
    rowsOf(id).flatMap((row) => {
      const { make, model, fuel, powerKw, curbKg, gearbox } = row;
      const ofYear = (generations.get(`${make}|${model}`) ?? []).filter(({ from, to }) => from <= year && year <= to);
      const names = new Set(ofYear.map(({ generation }) => generation));
      const [generation] = names;
      const engine = engineOf(row);
      if (curbKg === undefined || generation === undefined || names.size !== 1 || engine === undefined) return [];
      const [from, to] = [Math.min(...ofYear.map((of) => of.from)), Math.max(...ofYear.map((of) => of.to))];
      const weight = { make, model, ...engine, generation, from, to, ...defined({ fuel, powerKw, gearbox }), curbKg };
      return bodiesOf(row, ofYear).map((body) => Object.assign({ body }, weight));
    }),
  );
}

/** The engine's size, or the badge that names it: "320d", "C 220". A mild hybrid may follow, within a generation, an engine without a motor. */
function engineOf({ make, fuel, cc, badge = '' }: SpecRow): Partial<SpecRow> | undefined {
  if (fuel === 'Electric' || badge.includes(MILD)) return undefined;
  const name = BADGES.get(make)?.exec(badge)?.[1];
  if (BADGES.has(make)) return name === undefined ? undefined : { badge: name };
  const liters = Number(/\b([0-9][.,][0-9])(?![0-9])/.exec(badge)?.[1]?.replace(',', '.') ?? 0);
  const size = cc ?? liters * 1000;
  return size === 0 ? undefined : { cc: size };
}

/** Makes whose badge names the engine. */
const BADGES: ReadonlyMap<string, RegExp> = new Map([
  ['BMW', /\b([xs]Drive\d\d[de]|M?\d{3}[dix]+)\b/],
  ['Mercedes-Benz', /\b(\d{2,3})\b/],
]);

/**
 * The rows of a list, one without a body as rows of each closed body of its family, where the list has wagons of it, too: what a
 * BERLINE weighs says nothing of a wagon.
 */
export function withClosedBodies(rows: readonly SpecRow[], bodies: readonly SpecRow[]): SpecRow[] {
  const families = Map.groupBy(bodies, ({ make, model }) => `${make}|${model}`);
  const wagons = new Set(rows.filter(({ body }) => body === 'wagon').map(({ make, model }) => `${make}|${model}`));
  return rows.flatMap((row) => {
    const family = `${row.make}|${row.model}`;
    const ofYears = (families.get(family) ?? []).filter(({ from, to }) => from <= row.to && row.from <= to);
    const closed = row.body === undefined && wagons.has(family) ? bodiesOf(row, ofYears) : [];
    return closed.length === 0 ? [row] : closed.map((body) => Object.assign({}, row, { body }));
  });
}

/** The row's body; of a car without one, each closed body of its generation. */
function bodiesOf({ body }: SpecRow, ofYear: readonly SpecRow[]): BodyStyle[] {
  const known = BODY_STYLES.filter((style) => ofYear.some((of) => of.body === style));
  if (body !== undefined) return known.filter((style) => style === body);
  return known.filter((style) => CLOSED.has(style));
}
