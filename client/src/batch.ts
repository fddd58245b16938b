import type { BatchResult } from './types.ts';

/** VINs in one request of someone with a key, and of someone without. */
export const MOST_VINS = 1000;
export const MOST_VINS_PUBLIC = 10;

/** Yields the items in lists of a size, as they come; the last list may be shorter. */
export async function* listsOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let list: Item[] = [];
  for await (const item of items) {
    list.push(item);
    if (list.length < size) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

/** Returns the items left to ask for: their indexes in the results, and the time until it is worth asking. */
export function pendingIn(results: readonly BatchResult[]): { indices: number[]; retryAfterSeconds: number } {
  const indices = [...results.keys()].filter((index) => results[index]?.status === 'enrichment_pending');
  const seconds = indices.map((index) => pauseSeconds(results[index]?.retryAfterSeconds));
  return { indices, retryAfterSeconds: Math.max(0, ...seconds) };
}

/** Returns the seconds to wait before asking again: at least one, whatever the service says. */
export function pauseSeconds(retryAfterSeconds: number | undefined): number {
  return Math.max(1, Number(retryAfterSeconds) || 0);
}

/** Returns the results with those of the pending ones put in their places. */
export function withAnswers(
  results: readonly BatchResult[],
  indices: readonly number[],
  answers: readonly BatchResult[],
): BatchResult[] {
  const places = new Map(indices.map((index, order) => [index, answers[order]]));
  return results.map((result, index) => places.get(index) ?? result);
}
