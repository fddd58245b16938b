/** A rate limit spreads look-ups evenly, but lets as many come at once as fall due within this. */
const BURST_MS = 5_000;

/** What a claim may take at this moment. */
export interface Slots {
  /** How many look-ups may begin now, at most as many as were wanted. */
  granted: number;
  /** The state to keep: see `EnrichmentSourcesTable.next_slot_at`. */
  nextSlotAtMs: number;
  /** When one more may begin; not after `nowMs` where one may begin already. */
  notBeforeMs: number;
}

/**
 * The slots that a rate limit has at a moment, by the generic cell rate algorithm (ITU-T I.371): never more than
 * `perMinute` in a minute, beyond one burst.
 */
export function takeSlots(state: { nextSlotAtMs: number }, perMinute: number, wanted: number, nowMs: number): Slots {
  const spacingMs = 60_000 / perMinute;
  const toleranceMs = Math.max(0, BURST_MS - spacingMs);
  let nextSlotAtMs = Math.max(state.nextSlotAtMs, nowMs);
  let granted = 0;
  while (granted < wanted && nextSlotAtMs - nowMs <= toleranceMs) {
    nextSlotAtMs += spacingMs;
    granted += 1;
  }
  nextSlotAtMs = Math.ceil(nextSlotAtMs);
  return { granted, nextSlotAtMs, notBeforeMs: Math.ceil(nextSlotAtMs - toleranceMs) };
}
