/** The difference between two lists of times. */
export interface Comparison {
  medians: [number, number];
  /** Second median less the first. */
  difference: number;
  /** Between which 95 of 100 differences lie when both lists are drawn again from themselves (bootstrap). */
  interval: [number, number];
  /**
   * The share of pairs in which a time of the second list is longer than one of the first (Mann-Whitney): 0.5 means no
   * difference.
   */
  likelihood: number;
}

const DRAWS = 1_000;

/** Compares two lists of times. */
export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const medians: [number, number] = [medianOf(first), medianOf(second)];
  const drawn = Array.from({ length: DRAWS }, () => medianOf(drawnFrom(second)) - medianOf(drawnFrom(first)));
  drawn.sort((a, b) => a - b);
  return {
    medians,
    difference: medians[1] - medians[0],
    interval: [drawn[Math.floor(DRAWS * 0.025)] ?? 0, drawn[Math.floor(DRAWS * 0.975)] ?? 0],
    likelihood: likelihoodOf(first, second),
  };
}

function medianOf(times: readonly number[]): number {
  return Float64Array.from(times).toSorted()[Math.floor(times.length / 2)] ?? 0;
}

function drawnFrom(times: readonly number[]): number[] {
  return times.map(() => times[Math.floor(Math.random() * times.length)] ?? 0);
}

function likelihoodOf(first: readonly number[], second: readonly number[]): number {
  const sorted = Float64Array.from(first).toSorted();
  let longer = 0;
  for (const time of second) longer += countBelow(sorted, time);
  return longer / (first.length * second.length);
}

function countBelow(sorted: Float64Array, time: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
