import type { BodyStyle } from '../report/report.ts';
import { OTHER_YEAR_WEIGHT, type TableRows } from './model-rows.ts';
import type { Ranking } from './ranking.ts';

/** Bodies in the order of how many cars have them, where nothing is known of the model. */
const USUAL_BODIES: readonly BodyStyle[] = ['hatchback', 'sedan', 'suv', 'wagon', 'van', 'pickup', 'coupe', 'cabrio'];

/** The weight of values that are usual among all cars: below all that are known of the model. */
const USUAL_WEIGHT = 0.001;

/** Returns the frequency of a body among all cars as a weight from 1 to 2. */
export function usualness(body: string): number {
  const place = USUAL_BODIES.findIndex((usual) => usual === body);
  return place < 0 ? 1 : 2 - place / USUAL_BODIES.length;
}

/** Adds the bodies that cars have, after those known of the model. */
export function addUsualBodies(bodies: Ranking<string | number>): void {
  for (const body of USUAL_BODIES) bodies.add(body, USUAL_WEIGHT * usualness(body));
}

/**
 * Adds the bodies that lists name for a model. The number of variants of a body in a list is no measure of the cars.
 */
export function addListedBodies(
  tables: readonly TableRows[],
  wordOf: (word: number) => string,
  bodies: Ranking<string | number>,
): void {
  const listed = tables.flatMap(({ table: { lists, columns }, rows, weights }) =>
    rows.map((row, index) => ({ lists, body: wordOf(columns.body[row] ?? 0), weight: weights[index] ?? 0 })),
  );
  const known = listed.filter(({ body }) => body !== '');
  const own = known.filter(({ weight }) => weight > OTHER_YEAR_WEIGHT);
  const counted = own.length > 0 ? own : known;
  const generation = [...new Set(counted.flatMap(({ lists, body }) => (lists === 'bodies' ? [body] : [])))];
  for (const body of new Set(counted.map((one) => one.body))) {
    const place = generation.indexOf(body);
    bodies.add(body, place < 0 ? usualness(body) : generation.length * 10 - place);
  }
}
