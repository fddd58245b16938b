import type { Caller } from '../workspaces/index.ts';

/**
 * VINs with fixed outcomes for test keys. ISO 3780 assigns region 0 to no country: no vehicle has one of these. Unknown
 * and ambiguous VINs need no special treatment, and are documented beside them (`docs/api.md`).
 */
export const TEST_VINS = {
  /** Stays pending: 202 each time. */
  pending: '0TESTPEND1NG00001',
  /** The month's limit is reached: 429 each time. */
  exhausted: '0TESTEXHAUSTED001',
} as const;

/** The fixed outcome of a VIN for a test key, regardless of its usage and of outside sources. */
type FixedOutcome = { kind: 'pending'; retryAfterSeconds: number } | { kind: 'exhausted' };

const OUTCOMES: ReadonlyMap<string, FixedOutcome> = new Map<string, FixedOutcome>([
  [TEST_VINS.pending, { kind: 'pending', retryAfterSeconds: 2 }],
  [TEST_VINS.exhausted, { kind: 'exhausted' }],
]);

/** Returns true if the caller uses a test key. */
export function isTestCaller(caller: Caller): boolean {
  return caller.kind === 'subscriber' && caller.isTest === true;
}

/** Returns the outcome that is fixed for this VIN and caller; undefined if it is decoded like any other. */
export function fixedOutcome(caller: Caller, vin: string): FixedOutcome | undefined {
  return isTestCaller(caller) ? OUTCOMES.get(vin) : undefined;
}
