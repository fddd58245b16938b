import { textOf } from '../http/errors.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { DecodeOutcome } from './decode-for.ts';

/** An outcome that is refused without a word about usage. */
export type UnmeteredRefusal = Exclude<DecodeOutcome, { kind: 'granted' | 'exhausted' | 'pending' }>;

/** The refusal as HTTP tells it. None of these is charged. */
export function refusalOf(outcome: UnmeteredRefusal): HttpRefusal {
  switch (outcome.kind) {
    case 'malformed':
      return new HttpRefusal(400, outcome.message);
    case 'bad-idempotency-key':
      return new HttpRefusal(400, 'Idempotency-Key must be 1 to 255 visible ASCII characters without blanks.');
    case 'reused-idempotency-key':
      return new HttpRefusal(422, 'This Idempotency-Key came with another request before. Use a new one for each.');
    case 'under-way':
      return new HttpRefusal(
        409,
        'The first request with this Idempotency-Key is still under way. Try again shortly.',
        {
          'retry-after': '1',
        },
      );
    case 'overloaded':
      return new HttpRefusal(503, textOf(503), { 'retry-after': String(outcome.retryAfterSeconds) });
    default:
      return outcome satisfies never;
  }
}
