import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import type { Idempotency, IdempotencyFinding, IdempotencyRefusal, Repetition, RequestBody } from './idempotency.ts';
import type { IdempotentCharge } from './store.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { textField } from '../kernel/http/schemas.ts';

/** A request that may come again. */
interface Repeatable {
  /** The owner of the key: see `Idempotency.begin`. */
  scope: string;
  /** Undefined: the request came without one. */
  key: string | undefined;
  /** The request's parameters. */
  body: RequestBody;
  /**
   * Compares the request with what is stored of the first one, whose parameters were forgotten. Undefined: `repeated`
   * does.
   */
  isSame?: (finding: Repetition) => Promise<boolean>;
}

/** The outcome of the first request is not one that this program can give again: another version wrote it. */
export class UnreadableOutcome extends Error {
  override name = 'UnreadableOutcome';
}

/**
 * Does the work of a request, unless an earlier request with the same `Idempotency-Key` did it.
 *
 * @param first does the work; it stores the result of `recordOf` in the same transaction.
 * @param repeated returns the outcome of the first request again, or throws `UnreadableOutcome`: then this request is
 * the first one.
 */
export function withIdempotency<Outcome>(
  idempotency: Pick<Idempotency, 'begin' | 'forget'>,
  { scope, key, body, isSame }: Repeatable,
  first: (recordOf?: (outcome: string) => IdempotentCharge) => Promise<Outcome>,
  repeated: (finding: Repetition) => Outcome | Promise<Outcome>,
): Promise<Outcome | IdempotencyRefusal> {
  const again = async (finding: Repetition): Promise<Outcome | IdempotencyRefusal> =>
    finding.isUnchecked && (await isSame?.(finding)) === false ? { kind: 'reused-idempotency-key' } : repeated(finding);
  return key === undefined
    ? first()
    : idempotency.begin(scope, key, body).then((finding) =>
        doOnce(finding, first, again).catch(async (error: unknown) => {
          if (!(error instanceof UnreadableOutcome) || finding.kind !== 'repeated') throw error;
          await idempotency.forget(scope, key, finding.outcome);
          return doOnce(await idempotency.begin(scope, key, body), first, again);
        }),
      );
}

async function doOnce<Outcome>(
  finding: IdempotencyFinding,
  first: (recordOf?: (outcome: string) => IdempotentCharge) => Promise<Outcome>,
  repeated: (finding: Repetition) => Promise<Outcome | IdempotencyRefusal>,
): Promise<Outcome | IdempotencyRefusal> {
  if (finding.kind === 'repeated') return repeated(finding);
  if (finding.kind !== 'first') return finding;
  try {
    return await first(finding.recordOf);
  } finally {
    finding.end();
  }
}

/** Converts the refusal to an HTTP error. */
export function idempotencyRefusal({ kind }: IdempotencyRefusal): HttpError {
  switch (kind) {
    case 'bad-idempotency-key':
      return new HttpError(400, 'Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces.');
    case 'reused-idempotency-key':
      return new HttpError(
        422,
        'This Idempotency-Key was already used for a different request. Use a new one for each request.',
      );
    case 'under-way':
      return new HttpError(
        409,
        'The first request with this Idempotency-Key has not finished. Try again in a moment.',
        {
          'retry-after': '1',
        },
      );
    default:
      return kind satisfies never;
  }
}

/** Marks an answer as a repetition, for which nothing was done now: the catalog may have been another one then. */
export function markReplay(reply: FastifyReply): void {
  reply.removeHeader('x-catalog-version').header('idempotency-replayed', 'true');
}

/** The header of `markReplay`, for the reference. */
export const REPLAY_HEADER = {
  'Idempotency-Replayed': textField(
    'Present only if this answers a repeated request with the same Idempotency-Key.',
    'true',
  ),
};

/** Returns the header for a route's schema; `effect` describes the effect of a request repeated within 24 hours. */
export function idempotencyKeyHeader(effect: string) {
  const description = `Any key that is unique to this request. If you repeat the request within 24 hours, ${effect}.`;
  return Type.Object({ 'idempotency-key': Type.Optional(textField(description)) });
}
