import type { Access } from './workspaces/index.ts';
import type { CorrectedDecoder } from './corrections/index.ts';
import type { Source } from './enrichment/index.ts';
import type { Meter, Outcome, ChargeableDecode } from './metering/index.ts';
import type { Metrics } from './kernel/telemetry/metrics.ts';
import type { Tracing } from './kernel/telemetry/tracing.ts';

/** The part of the meter that decodes go through. */
type MeterPart = Pick<Meter, 'charge' | 'record' | 'peek'>;

/** The part of access that requests go through. */
type AccessPart = Pick<Access, 'identify' | 'knownWorkspace' | 'refusalOf'>;

/** Returns the parts that a request goes through, traced if anything is. */
export function traced(
  tracing: Tracing | undefined,
  parts: { access: AccessPart; decoder: CorrectedDecoder; meter: MeterPart },
): typeof parts {
  if (tracing === undefined) return parts;
  return {
    access: tracedAccess(tracing, parts.access),
    decoder: tracedDecoder(tracing, parts.decoder),
    meter: tracedMeter(tracing, parts.meter),
  };
}

/** Returns the same access, traced. */
function tracedAccess(tracing: Tracing, access: AccessPart): AccessPart {
  return {
    knownWorkspace: (headers) => access.knownWorkspace(headers),
    refusalOf: (request) => access.refusalOf(request),
    identify: (credentials) =>
      tracing.part('access', {}, async (span) => {
        const caller = await access.identify(credentials);
        span?.setAttribute('marque.access.caller', caller.kind);
        return caller;
      }),
  };
}

/** Returns the same decoder, traced where a request decodes. */
function tracedDecoder(tracing: Tracing, decoder: CorrectedDecoder): CorrectedDecoder {
  return {
    ...decoder,
    get info() {
      return decoder.info;
    },
    decode: (vin) => tracing.decode(vin.slice(0, 3), () => decoder.decode(vin)),
    shared: (vin) => tracing.decode(vin.slice(0, 3), () => decoder.shared(vin)),
    vpic: (vin, modelYear) => tracing.decode(vin.slice(0, 3), () => decoder.vpic(vin, modelYear)),
  };
}

/** Returns the same meter, traced: its work, and its wait for a transaction. The report follows it. */
function tracedMeter(tracing: Tracing, meter: MeterPart): MeterPart {
  return {
    peek: (caller) => tracing.part('usage.peek', {}, () => meter.peek(caller)),
    charge: async (caller, decodes, idempotency) => {
      const outcome = await tracing.part('usage.charge', { 'marque.charge.decodes': decodes.length }, async (span) => {
        const result = await meter.charge(caller, decodes, idempotency);
        if (result.kind === 'settled') span?.setAttribute('marque.charge.granted', result.granted);
        span?.setAttribute('marque.charge.outcome', outcomeOf(result));
        return result;
      });
      tracing.beginReport();
      return outcome;
    },
    record: (caller, decode) => tracing.part('usage.record', {}, () => meter.record(caller, decode)),
  };
}

function outcomeOf(outcome: Outcome): string {
  if (outcome.kind !== 'settled') return outcome.kind;
  return outcome.granted > 0 ? 'granted' : 'exhausted';
}

/** Returns the same source, with a separate trace for each look-up, because no request waits for it. */
export function tracedSource(tracing: Tracing, source: Source): Source {
  const lookUp: Source['lookUp'] = async (vin, signal) => {
    const attributes = { 'marque.source': source.name, 'marque.wmi': vin.slice(0, 3) };
    const span = tracing.separate('enrichment.lookup', attributes);
    try {
      const found = await source.lookUp(vin, signal);
      span.setAttribute('marque.lookup.outcome', found.kind === 'failed' ? found.reason : found.kind);
      if (found.kind === 'failed') tracing.fail(span);
      return found;
    } finally {
      span.end();
    }
  };
  return {
    name: source.name,
    rateLimit: source.rateLimit,
    timeoutMs: source.timeoutMs,
    covers: (vin) => source.covers(vin),
    lookUp,
    close: () => source.close(),
  };
}

/** Returns the same meter, which counts every VIN by its outcome. */
export function countedMeter(metrics: Metrics, meter: MeterPart): MeterPart {
  const count = (
    decodes: readonly ChargeableDecode[],
    granted: number,
    otherwise: 'overloaded' | 'limit_reached',
  ): void => {
    for (const { outcome } of decodes.slice(0, granted)) metrics.countDecode(outcome);
    metrics.countRefused(otherwise, decodes.length - granted);
  };
  return {
    peek: (caller) => meter.peek(caller),
    charge: async (caller, decodes, idempotency) => {
      const outcome = await meter.charge(caller, decodes, idempotency);
      if (outcome.kind === 'overloaded') count(decodes, 0, 'overloaded');
      if (outcome.kind === 'settled') count(decodes, outcome.granted, 'limit_reached');
      return outcome;
    },
    record: async (caller, decode) => {
      const outcome = await meter.record(caller, decode);
      metrics.countDecode(outcome.kind === 'stored' ? decode.outcome : 'overloaded');
      return outcome;
    },
  };
}
