/**
 * How long a server asks to be left alone, by its Retry-After: in seconds or as a date. Undefined: it does not ask.
 *
 * @param mostMs longer is taken for a mistake, and for this.
 */
export function waitAskedFor(retryAfter: string | string[] | undefined, mostMs: number): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  const waitMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), mostMs);
}
