import { RETRY_AFTER_SECONDS, textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import type { SlotOutcome } from '../kernel/limits/slots.ts';
import { MOST_BYTES } from './store.ts';

/** Large files, after "files". */
export const LARGE = ` larger than ${MOST_BYTES / 1_000_000} MB`;

/** Says that a workspace sends too many files, and no number: one that waited too long is refused like one too many. */
export function tooManyFiles(which = ''): string {
  return `Other files${which} of this workspace are being received or read. Wait until one of them is answered.`;
}

/** Returns the function that frees a place. @throws HttpError 429 with the message, or 503. */
export function placeOf(outcome: SlotOutcome, message: string): () => void {
  if (outcome.kind === 'taken') return outcome.leave;
  if (outcome.by === 'tenant') throw tooMany(message, RETRY_AFTER_SECONDS);
  throw busy();
}

/** Says that a workspace sends files too often. */
export function tooOften(seconds: number): HttpError {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return tooMany(`Too many files in a short time. Send the next one in ${wait}.`, seconds);
}

export function busy(): HttpError {
  return new HttpError(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

export function tooMany(message: string, seconds: number): HttpError {
  return new HttpError(429, message, { 'retry-after': String(seconds) });
}
