import { textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { idempotencyRefusal } from '../metering/with-idempotency.ts';
import type { DecodeOutcome } from './decode-for.ts';

/** An outcome that is refused without a word about usage. */
export type UnmeteredRefusal = Exclude<DecodeOutcome, { kind: 'granted' | 'exhausted' | 'pending' }>;

/** The refusal as HTTP tells it. None of these is charged. */
export function refusalOf(outcome: UnmeteredRefusal): HttpError {
  switch (outcome.kind) {
    case 'malformed':
      return new HttpError(400, outcome.message);
    case 'overloaded':
      return new HttpError(503, textOf(503), { 'retry-after': String(outcome.retryAfterSeconds) });
    default:
      return idempotencyRefusal(outcome);
  }
}
