/** Calls measured at once: about a millisecond's work, less than a busy machine lets a process run for. */
const CALLS_A_SLICE = 500;
const SLICES = 1_000;

/** The share of slices that were disturbed least. */
const UNDISTURBED = 0.1;

/**
 * Microseconds that each of some functions takes for an item. They take turns in slices of the same items, so that a
 * machine that is busy at times is so for all.
 */
export function inTurns<Item>(items: readonly Item[], works: readonly ((item: Item) => unknown)[]): number[] {
  const measured = works.map((work) => ({ work, times: new Float64Array(SLICES) }));
  for (let slice = 0; slice < SLICES; slice++) {
    const from = (slice * CALLS_A_SLICE) % items.length;
    const batch = items.slice(from, from + CALLS_A_SLICE);
    // The first one of a turn finds the items colder than the others do.
    const first = slice % works.length;
    for (const { work, times } of [...measured.slice(first), ...measured.slice(0, first)]) {
      const started = performance.now();
      for (const item of batch) work(item);
      times[slice] = ((performance.now() - started) * 1000) / batch.length;
    }
  }
  return measured.map(({ times }) => times.toSorted()[Math.floor(SLICES * UNDISTURBED)] ?? 0);
}
