/** A decode as it is stored, before it is known whether it is charged. */
export interface ChargeableDecode {
  /** An id of `newUuid7`: the `X-Request-Id` of the answer. */
  id: string;
  vin: string;
  /** The outcome of the request, in a word: `identified`, `partial`, `segments`, `pending`. */
  outcome: string;
  /** The report as JSON, at full depth. */
  report: string;
}

/** Usage as every answer has it. `limit` and `remaining` are null without a limit. */
export interface Usage {
  limit: number | null;
  remaining: number | null;
  /** Epoch milliseconds of the next window's start. */
  resetAtMs: number;
}

/** The outcome of a charge: the first `granted` of its decodes are charged and stored, the others are not. */
export type Outcome =
  | { kind: 'settled'; granted: number; usage: Usage }
  /** Another request with the same idempotency key was charged in the meantime: nothing was charged for this one. */
  | { kind: 'conflict' }
  | { kind: 'overloaded'; retryAfterSeconds: number };
