import { type Meter, isTestSubject, subjectOf } from './index.ts';
import { TEST_VINS } from './test-vins.ts';

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
