import type { Caller } from '../workspaces/index.ts';
import { type Meter, isTestSubject, type Outcome, subjectOf } from './index.ts';
import { TEST_VINS } from './test-vins.ts';

type MeterPart = Pick<Meter, 'charge' | 'chargeMany' | 'record' | 'peek'>;

/** The same meter, except that for test keys the limit is always reached at one VIN. */
export function sandboxMeter(meter: MeterPart): MeterPart {
  return {
    peek: async (caller) => meter.peek(caller),
    record: async (caller, decode) => meter.record(caller, decode),
    charge: (caller, decode, idempotency) =>
      decode.vin === TEST_VINS.exhausted && isTestSubject(subjectOf(caller))
        ? exhausted(meter, caller)
        : meter.charge(caller, decode, idempotency),
    chargeMany: async (caller, decodes, idempotency) => {
      const end = decodes.findIndex(({ vin }) => vin === TEST_VINS.exhausted);
      if (end === -1 || !isTestSubject(subjectOf(caller))) return meter.chargeMany(caller, decodes, idempotency);
      const outcome = await meter.chargeMany(caller, decodes.slice(0, end), end === 0 ? undefined : idempotency);
      return outcome.kind === 'settled' ? { ...outcome, usage: { ...outcome.usage, remaining: 0 } } : outcome;
    },
  };
}

async function exhausted(meter: MeterPart, caller: Caller): Promise<Outcome> {
  return { kind: 'exhausted', usage: { ...(await meter.peek(caller)), remaining: 0 } };
}
