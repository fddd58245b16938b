import { readVin, segmentsOf, type VehicleReport, type VpicRow } from '@marque/decoder';
import type { FastifyRequest } from 'fastify';

import { maskVin } from '../../kernel/mask-vin.ts';

/** NHTSA's numbers of the variables that are treated specially. */
export const VARIABLE = {
  bodyClass: 5,
  make: 26,
  manufacturer: 27,
  model: 28,
  modelYear: 29,
  suggestedVin: 142,
  errorCode: 143,
  possibleValues: 144,
  additionalErrorText: 156,
  errorText: 191,
  descriptor: 196,
} as const;

/** A VIN as a client of NHTSA's API asks for it. */
export interface AskedVin {
  text: string;
  /** The model year as the client knows it. */
  modelYear: number | undefined;
}

/** The form of the text. */
type AskedForm =
  /** A well-formed VIN. */
  | { kind: 'whole'; vin: string }
  /**
   * The beginning of one, or one with gaps (`*`), with letters that no VIN has or with NHTSA's `!` for a wrong
   * character.
   */
  | { kind: 'part'; vin: string }
  /** Nothing that can be read; `code` is NHTSA's. */
  | { kind: 'malformed'; vin: string; code: 6 | 400; message: string };

const VIN_LENGTH = 17;
const SHORTEST = 3;

/** Blanks, dots and hyphens, which people put between the parts of a VIN. */
const SEPARATORS = /[\s.-]/g;
const READABLE = /^[A-Z0-9*!]{3,17}$/;

/** Reads a client's text as a VIN. */
export function readAsked(text: string): AskedForm {
  const form = readVin(text);
  if (form.kind === 'vin') return { kind: 'whole', vin: form.vin };
  const vin = text.slice(0, 256).toUpperCase().replace(SEPARATORS, '');
  if (READABLE.test(vin)) return { kind: 'part', vin };
  const shown = vin.replace(/[^A-Z0-9*]/g, '').slice(0, 64);
  const message =
    vin.length > VIN_LENGTH
      ? form.message
      : `${form.message} For a part of a VIN, send its first characters, at least ${SHORTEST}, with * for each that is not known.`;
  return { kind: 'malformed', vin: shown, code: shown.length < SHORTEST ? 6 : 400, message };
}

/** Returns the year in a text; anything else is as if none were sent, as NHTSA has it. */
export function yearOf(text: string | undefined): number | undefined {
  const year = text?.trim() ?? '';
  return /^\d{4}$/.test(year) ? Number(year) : undefined;
}

/**
 * Returns a part of a VIN as it is stored: without its serial number, so that no vehicle is stored where an erasure by
 * VIN does not find it.
 */
export function storedPart(vin: string): string {
  return maskVin(vin).startsWith(vin) ? vin : maskVin(vin);
}

/** Returns the report that is stored with it: its values in NHTSA's tables. */
export function reportOfPart(vin: string, rows: readonly VpicRow[]): VehicleReport {
  const values = new Map(rows.map(([id, value]) => [id, value]));
  const report: VehicleReport = { vin, ...segmentsOf(vin), validFormat: false, bodyStyleNormalized: 'unknown' };
  const [make, model, year] = [VARIABLE.make, VARIABLE.model, VARIABLE.modelYear].map((id) => values.get(id));
  if (make !== undefined) report.manufacturer = make;
  if (model !== undefined) report.model = model;
  if (year !== undefined) report.modelYear = year;
  return report;
}

const BASIC = /^basic +([a-z0-9+/=_-]+)$/i;
const BEARER = /^bearer(?: |$)/i;

/** The prefix of all our keys. */
const KEY_PREFIX = 'mq_';

/**
 * Takes, for clients that cannot set a header, the key out of HTTP Basic credentials (as the password, or as the name
 * of a user without one), or out of `api_key` in the query, as if it had come in `x-api-key`: an empty one is refused,
 * too. `x-api-key` and bearer tokens take precedence. For these routes only: URLs end up in other people's logs.
 */
export async function readClientKey({ headers, query }: FastifyRequest): Promise<void> {
  if (headers['x-api-key'] !== undefined || BEARER.test(headers.authorization ?? '')) return;
  const key = keyOfBasic(headers.authorization) ?? keyOfQuery(query);
  if (key !== undefined) headers['x-api-key'] = key;
}

function keyOfBasic(authorization: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const password = rest.join(':');
  const key = user.startsWith(KEY_PREFIX) || password === '' ? user : password;
  return key.trim() === '' ? undefined : key.trim();
}

function keyOfQuery(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('api_key' in query)) return undefined;
  return String(query.api_key).trim();
}
