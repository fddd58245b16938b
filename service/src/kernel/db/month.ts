/** A usage window: a calendar month in UTC, as epoch milliseconds. */
export interface UsageWindow {
  startMs: number;
  /** Start of the next window: when usage starts again at zero. */
  endMs: number;
}

/** The month that was asked for last. Every charge asks, and months change rarely. */
let lastMonth: Readonly<UsageWindow> = { startMs: 0, endMs: 0 };

/** Returns the month of a moment. */
export function monthOf(atMs: number): Readonly<UsageWindow> {
  if (atMs >= lastMonth.startMs && atMs < lastMonth.endMs) return lastMonth;
  const at = new Date(atMs);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  lastMonth = { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
  return lastMonth;
}

/** Returns the start of the UTC day of a moment. */
export function dayOf(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
}

/** Returns the start of the month `months` after (or, negative, before) the month of a moment. */
export function monthAfter(atMs: number, months: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}
