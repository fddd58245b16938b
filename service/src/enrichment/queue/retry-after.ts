/** Used until there are observations: about what vPIC takes. */
const UNOBSERVED_MS = 3_000;

const LEAST_SECONDS = 1;
const MOST_SECONDS = 60;

/** Observations from which `Retry-After` is computed. */
interface Wait {
  /** The times that earlier VINs of this source waited for their result. */
  waitsMs: readonly number[];
  /** The time that this one has waited. */
  ageMs: number;
  /** Until when the source is certainly not asked, from now. */
  restMs: number;
  /** The wait ends then. */
  leftMs: number;
}

/**
 * Returns when to come back: when nine of ten VINs would have their result. One that waits longer than that is not
 * usual, and likely to take as long again; half of it is a fair guess.
 */
export function retryAfterSeconds({ waitsMs, ageMs, restMs, leftMs }: Wait): number {
  const usualMs = quantile(waitsMs, 0.9) ?? UNOBSERVED_MS;
  const guessMs = Math.max(usualMs - ageMs, ageMs > usualMs ? ageMs / 2 : 0, restMs);
  const seconds = Math.ceil(Math.min(guessMs, leftMs) / 1000);
  return Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS);
}

/** Returns the value that this share does not exceed (nearest rank); undefined if there is none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
