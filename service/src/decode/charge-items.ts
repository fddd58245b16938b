import {
  type ChargeableDecode,
  fixedOutcome,
  type IdempotentCharge,
  type Meter,
  type Usage,
} from '../metering/index.ts';
import type { Caller } from '../workspaces/index.ts';

/** The month was used up before this VIN. */
export interface CutOff {
  kind: 'exhausted';
}

/** Too many wait: nothing was charged. */
export interface Overloaded {
  kind: 'overloaded';
  retryAfterSeconds: number;
}

/** An item before its charge, with the decode as it is stored. */
export type Charging<Served> = Served & { decode: ChargeableDecode };

/** The part of an item that charging reads: one without a decode is free. */
interface Chargeable {
  kind: string;
  decode?: ChargeableDecode;
}

/** The outcome of charging some items. */
type ChargedItems<Each> =
  | { kind: 'settled'; items: (Each | CutOff)[]; usage: Usage }
  /** None of the decodes was within the limit. */
  | { kind: 'exhausted'; usage: Usage }
  /** A charge of the same name was there before: nothing was charged now. */
  | { kind: 'conflict' }
  | Overloaded;

/**
 * Charges and stores the decodes of a request in one transaction, as many as the limit lets: the only place where
 * anything is charged, for every caller.
 *
 * @param once has the request charged once for its name; undefined: each time.
 */
export async function chargeItems<Each extends Chargeable>(
  meter: Pick<Meter, 'charge'>,
  caller: Caller,
  items: readonly Each[],
  once: IdempotentCharge | undefined,
): Promise<ChargedItems<Each>> {
  const decodes: ChargeableDecode[] = [];
  /** True once the month of a test key has ended at such a VIN, whatever its usage. */
  let isCut = false;
  for (const { decode } of items) {
    if (decode === undefined) continue;
    isCut = fixedOutcome(caller, decode.vin)?.kind === 'exhausted';
    if (isCut) break;
    decodes.push(decode);
  }
  const charge = await meter.charge(caller, decodes, isCut && decodes.length === 0 ? undefined : once);
  if (charge.kind !== 'settled') return charge;
  const { granted } = charge;
  const usage = isCut ? { ...charge.usage, remaining: 0 } : charge.usage;
  if (granted === 0 && (isCut || decodes.length > 0)) return { kind: 'exhausted', usage };
  return { kind: 'settled', items: cutAfter(items, granted), usage };
}

/** Returns the same items, with only the first `granted` decoded ones served. */
export function cutAfter<Each extends Chargeable>(items: readonly Each[], granted: number): (Each | CutOff)[] {
  let left = granted;
  return items.map((item) => (item.decode === undefined || left-- > 0 ? item : { kind: 'exhausted' }));
}
