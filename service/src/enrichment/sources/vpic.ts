import { hasValidCheckDigit, requiresCheckDigit } from '@marque/decoder';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { type Answer, type AnswerField, type LookUp, type RateLimit, type Source, textOfValue } from '../source.ts';
import { Web, type WebOptions } from './web.ts';

/** Considerate of a public service that documents only that it limits automated traffic. */
export const VPIC_RATE_LIMIT: RateLimit = { perMinute: 120, concurrent: 4 };

/** Answers take a second or two; on bad days ten. */
export const VPIC_TIMEOUT_MS = 15_000;

/**
 * NHTSA's codes beside which an answer is about this very VIN: clean (0), check digit wrong (1), glider (9), off-road
 * vehicle (10), some characters without meaning (14). With the others vPIC answers for a VIN that it corrected, or
 * warns that the data may be wrong, or has none.
 */
const SETTLING_CODES: ReadonlySet<string> = new Set(['0', '1', '9', '10', '14']);

/** vPIC's variables that correspond to one of our fields. */
const VARIABLES: readonly (readonly [variable: string, field: AnswerField])[] = [
  ['Make', 'make'],
  ['Model', 'model'],
  ['Series', 'series'],
  ['Trim', 'trim'],
  ['ModelYear', 'modelYear'],
  ['VehicleType', 'vehicleType'],
  ['BodyClass', 'body'],
  ['BodyCabType', 'cab'],
  ['Doors', 'doors'],
  ['FuelTypePrimary', 'fuel'],
  ['FuelTypeSecondary', 'secondFuel'],
  ['ElectrificationLevel', 'electrification'],
  ['EngineCylinders', 'cylinders'],
  ['EngineConfiguration', 'cylinderLayout'],
  ['DisplacementCC', 'displacementCc'],
  ['EngineKW', 'powerKw'],
  ['Turbo', 'turbo'],
  ['EngineModel', 'engineModel'],
  ['BatteryKWh', 'batteryKwh'],
  ['DriveType', 'drive'],
  ['TransmissionStyle', 'transmission'],
  ['TransmissionSpeeds', 'gears'],
  ['PlantCity', 'plantCity'],
  ['PlantCountry', 'plantCountry'],
];

const KW_PER_HP = 0.745699872;
const MM_PER_INCH = 25.4;
const KG_PER_LB = 0.45359237;

/** Variables in other units. One that comes with the end of a range gives no value. */
const CONVERTED: readonly { from: string; to: string; field: AnswerField; times: number }[] = [
  { from: 'EngineHP', to: 'EngineHP_to', field: 'powerKw', times: KW_PER_HP },
  { from: 'WheelBaseShort', to: 'WheelBaseLong', field: 'wheelbaseMm', times: MM_PER_INCH },
  { from: 'CurbWeightLB', to: '', field: 'curbWeightKg', times: KG_PER_LB },
];

/** The part of vPIC's answer that every VIN has. */
const Envelope = Type.Object({ Results: Type.Array(Type.Object({ VIN: Type.String(), ErrorCode: Type.String() })) });

/** vPIC's address and limits. */
export interface VpicOptions extends Omit<WebOptions, 'origin' | 'concurrent'> {
  name: string;
  /** Its API, as in `https://vpic.nhtsa.dot.gov/api`. */
  url: string;
  headers?: Record<string, string>;
  rateLimit: RateLimit;
  covers?: (vin: string) => boolean;
}

/** Creates a source of NHTSA's vPIC API: https://vpic.nhtsa.dot.gov/api/, method DecodeVinValuesExtended. */
export function vpicSource(options: VpicOptions): Source {
  const { name, rateLimit, timeoutMs, covers = isForNorthAmerica } = options;
  const web = new Web({ ...options, origin: options.url, concurrent: rateLimit.concurrent });
  const base = options.url.replace(/\/+$/, '');
  return {
    name,
    rateLimit,
    timeoutMs,
    covers,
    async lookUp(vin, signal) {
      const url = new URL(`${base}/vehicles/DecodeVinValuesExtended/${vin}?format=json`);
      const fetched = await web.getJson(url, options.headers ?? {}, signal);
      if (fetched.kind === 'failed') return fetched;
      // vPIC answers 200 for every VIN: a 404 is about the address.
      return fetched.status === 200 ? readVpicAnswer(vin, fetched.body) : { kind: 'failed', reason: 'refused' };
    },
    close: () => web.close(),
  };
}

/**
 * Returns true if a VIN may belong to a vehicle for North America, the only ones that vPIC covers: there every VIN has
 * a check digit, so one without a valid one counts only if the WMI itself belongs to a market that prescribes it.
 */
export function isForNorthAmerica(vin: string): boolean {
  return hasValidCheckDigit(vin) || (requiresCheckDigit(vin) && /^[0-9X]$/.test(vin.charAt(8)));
}

/** Reads vPIC's answer about a VIN. Pure. */
export function readVpicAnswer(vin: string, body: unknown): LookUp {
  if (!Value.Check(Envelope, body)) return { kind: 'failed', reason: 'not understood' };
  const [result] = body.Results;
  if (result === undefined || body.Results.length > 1) return { kind: 'failed', reason: 'not understood' };
  if (result.VIN.toUpperCase() !== vin) return { kind: 'failed', reason: 'another VIN' };
  const codes = result.ErrorCode.split(',').map((code) => code.trim());
  if (!codes.every((code) => /^\d{1,3}$/.test(code))) return { kind: 'failed', reason: 'not understood' };
  const answer = answerOf(new Map<string, unknown>(Object.entries(result)));
  const settles = codes.every((code) => SETTLING_CODES.has(code));
  const names = answer.make !== undefined && answer.model !== undefined;
  return settles && names ? { kind: 'found', answer } : { kind: 'nothing' };
}

function answerOf(values: ReadonlyMap<string, unknown>): Answer {
  const answer: Answer = {};
  for (const [variable, field] of VARIABLES) {
    const text = textOfValue(values.get(variable));
    if (text !== undefined) answer[field] = text;
  }
  if (isRange(values, 'BatteryKWh', 'BatteryKWh_to')) delete answer.batteryKwh;
  for (const { from, to, field, times } of CONVERTED) {
    const value = Number(textOfValue(values.get(from)));
    if (answer[field] !== undefined || !(value > 0) || isRange(values, from, to)) continue;
    answer[field] = (value * times).toFixed(2);
  }
  return answer;
}

function isRange(values: ReadonlyMap<string, unknown>, from: string, to: string): boolean {
  const end = textOfValue(values.get(to));
  return end !== undefined && end !== textOfValue(values.get(from));
}
