import { type VehicleReport, vpicElementsOf, type VpicFacts, type VpicRow, vpicRowsOf } from '@marque/decoder';

import type { Caller } from '../../workspaces/index.ts';
import { outcomeOf } from '../outcome.ts';
import type { Usage } from '../../metering/index.ts';
import { turnsOf } from '../batch/queue.ts';
import { inTurns } from '../batch/lines.ts';
import { chargeItems, type Charging } from '../charge-items.ts';
import type { DecodeParts } from '../parts.ts';
import { type AskedVin, readAsked, reportOfPart, storedPart, VARIABLE } from './asked.ts';
import { isReducedSet } from './formats.ts';
import { valueAt } from '../../kernel/records.ts';

/** The outcome for one VIN. Only `decoded` is charged. */
export type VpicItem =
  | { kind: 'decoded'; vin: string; rows: VpicRow[] }
  /** A part of a VIN without any value of a vehicle: the rows give the reason. */
  | { kind: 'untold'; vin: string; rows: VpicRow[] }
  /** No VIN; `code` is NHTSA's. */
  | { kind: 'malformed'; vin: string; code: 6 | 400; message: string }
  /** The month was used up before this one. */
  | { kind: 'exhausted'; vin: string };

/** The outcome of a request. `settled` has an item for each VIN, in order. */
type VpicOutcome =
  | { kind: 'settled'; items: VpicItem[]; usage: Usage }
  | { kind: 'exhausted'; usage: Usage }
  | { kind: 'overloaded'; retryAfterSeconds: number };

/** A VIN takes as long as so many of our own reports: NHTSA's rows of a part of one come from thousands of keys. */
const WEIGHT = 50;

/**
 * Decodes VINs as NHTSA does, and charges and stores them like any other decode. Several are not decoded for a caller
 * whose month is used up, unless none of them would be charged.
 */
export async function decodeMany(
  { decoder, meter, turns }: DecodeParts,
  caller: Caller,
  asked: readonly AskedVin[],
  newId: () => string,
): Promise<VpicOutcome> {
  if (asked.length > 1) {
    const usage = await meter.peek(caller);
    if (usage.remaining === 0 && asked.some((one) => isCharged(decoder, one))) return { kind: 'exhausted', usage };
  }
  const items: Read[] = [];
  await inTurns(
    asked,
    (one) => items.push(read(decoder, one, newId)),
    turnsOf({ turns }, caller),
    () => WEIGHT,
  );
  const charged = await chargeItems(meter, caller, items, undefined);
  if (charged.kind === 'conflict') throw new Error('A charge without an idempotency key met a conflict.');
  if (charged.kind !== 'settled') return charged;
  const served = charged.items.map((item, index): VpicItem =>
    item.kind === 'exhausted' ? { kind: 'exhausted', vin: items[index]?.vin ?? '' } : item,
  );
  return { kind: 'settled', items: served, usage: charged.usage };
}

/** A VIN before the charge. */
type Read = Charging<Extract<VpicItem, { kind: 'decoded' }>> | Extract<VpicItem, { kind: 'untold' | 'malformed' }>;

/** Returns true if a VIN would be charged. It reads no more of it than that takes. */
function isCharged(decoder: DecodeParts['decoder'], { text, modelYear }: AskedVin): boolean {
  const form = readAsked(text);
  return form.kind === 'whole' || (form.kind === 'part' && tellsMaker(decoder.vpic(form.vin, modelYear)));
}

function read(decoder: DecodeParts['decoder'], { text, modelYear }: AskedVin, newId: () => string): Read {
  const form = readAsked(text);
  if (form.kind === 'malformed') return form;
  const { vin } = form;
  const rows = decoder.vpic(vin, modelYear);
  if (form.kind === 'part' && !tellsMaker(rows))
    return { kind: 'untold', vin, rows: rows.filter(([id]) => id !== VARIABLE.descriptor) };
  const stored = form.kind === 'whole' ? vin : storedPart(vin);
  const report = form.kind === 'whole' ? decoder.decode(vin) : reportOfPart(stored, rows);
  const decode = { id: newId(), vin: stored, outcome: outcomeOf(report), report: JSON.stringify(report) };
  const isCompleted = form.kind === 'whole' && isReducedSet(decoder.info);
  const completed = isCompleted ? completeRows(rows, report, decoder.vpicFacts) : rows;
  return { kind: 'decoded', vin, rows: completed, decode };
}

function tellsMaker(rows: readonly VpicRow[]): boolean {
  return rows.some(([id]) => id === VARIABLE.manufacturer);
}

/**
 * Fields of the report whose NHTSA variables the reduced set of NHTSA's data lacks. Weights are not among them: most
 * are estimates.
 */
const FILLED = [
  'specs.driveType',
  'specs.transmission',
  'specs.powerKw',
  'specs.batteryCapacityKwh',
  'technicalSpecs.wheelbaseMm',
] as const;

/** An automatic of no known number of speeds may also be continuously variable: NHTSA has a separate word for that. */
const OPEN_TRANSMISSION = 'Automatic';

/**
 * Completes NHTSA's rows with values of our own specifications for elements without any value. Only if both name the
 * same make and year and both a model: else the report may be of another interpretation of the VIN.
 */
export function completeRows(rows: readonly VpicRow[], report: VehicleReport, facts: VpicFacts): VpicRow[] {
  const held = new Map(rows.map(([id, value]) => [id, value]));
  const isSameCar =
    report.model !== undefined &&
    held.has(VARIABLE.model) &&
    report.modelYear !== undefined &&
    held.get(VARIABLE.modelYear) === report.modelYear &&
    held.get(VARIABLE.make) === report.manufacturer?.toUpperCase();
  if (!isSameCar) return [...rows];
  const added = FILLED.flatMap((path): VpicRow[] => {
    if (vpicElementsOf(path).some((id) => (held.get(id) ?? '') !== '')) return [];
    const value = valueAt(report, path);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === OPEN_TRANSMISSION) return [];
    const found = vpicRowsOf(path, value, facts);
    // A word that NHTSA does not have is left out.
    return typeof value === 'string' && found[0]?.[2] === undefined ? [] : found;
  });
  return [...rows, ...added];
}
