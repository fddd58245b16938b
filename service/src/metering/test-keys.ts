import { type Meter, isTestSubject, subjectOf } from './index.ts';

/**
 * VINs that a test key gets a fixed outcome for. ISO 3780 assigns region 0 to no country: no vehicle has one of these.
 * What is unknown or ambiguous needs no special treatment, and is documented beside them (`docs/api.md`).
 */
export const TEST_VINS = {
  /** Is looked up outside for good: 202 each time. */
  pending: '0TESTPEND1NG00001',
  /** The month's limit is reached: 429 each time. */
  exhausted: '0TESTEXHAUSTED001',
} as const;

type MeterPart = Pick<Meter, 'charge' | 'record' | 'peek'>;

/** The same meter, except that for test keys the limit is always reached at one VIN. */
export function sandboxMeter(meter: MeterPart): MeterPart {
  return {
    peek: (caller) => meter.peek(caller),
    record: (caller, decode) => meter.record(caller, decode),
    charge: (caller, decodes, idempotency) => {
      const end = decodes.findIndex(({ vin }) => vin === TEST_VINS.exhausted);
      if (end === -1 || !isTestSubject(subjectOf(caller))) return meter.charge(caller, decodes, idempotency);
      const charge = meter.charge(caller, decodes.slice(0, end), end === 0 ? undefined : idempotency);
      return charge.then((outcome) =>
        outcome.kind === 'settled' ? { ...outcome, usage: { ...outcome.usage, remaining: 0 } } : outcome,
      );
    },
  };
}
