import { RETRY_AFTER_SECONDS, textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import type { FairBounds } from '../kernel/limits/fair-queue.ts';
import type { SlotOutcome } from '../kernel/limits/slots.ts';

/** Says how many files a workspace may send. @param which of them, after "files". */
export function tooManyFiles({ perTenant, waitingPerTenant }: FairBounds, which = ''): string {
  return `A workspace sends at most ${perTenant + waitingPerTenant} files${which} at once, and one that waits too long for the others is refused. Wait until one of them is answered.`;
}

/** Returns the function that frees a place. @throws HttpError 429 with the message, or 503. */
export function placeOf(outcome: SlotOutcome, message: string): () => void {
  if (outcome.kind === 'taken') return outcome.leave;
  if (outcome.by === 'tenant') throw tooMany(message, RETRY_AFTER_SECONDS);
  throw busy();
}

export function busy(): HttpError {
  return new HttpError(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

export function tooMany(message: string, seconds: number): HttpError {
  return new HttpError(429, message, { 'retry-after': String(seconds) });
}
