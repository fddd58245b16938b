/**
 * The fields of a source's answer, in vPIC's terms or ours, with the units in the names. Everything is text until it is
 * cleaned: see `complete.ts`.
 */
export const ANSWER_FIELDS = [
  'make',
  'model',
  'modelCode',
  'series',
  'trim',
  'generation',
  'modelYear',
  'vehicleType',
  'body',
  'cab',
  'doors',
  'fuel',
  'secondFuel',
  'electrification',
  'cylinders',
  'cylinderLayout',
  'displacementCc',
  'powerKw',
  'turbo',
  'engineModel',
  'batteryKwh',
  'drive',
  'transmission',
  'gears',
  'emissionsStandard',
  'market',
  'plantCity',
  'plantCountry',
  'wheelbaseMm',
  'curbWeightKg',
] as const;

export type AnswerField = (typeof ANSWER_FIELDS)[number];

/** A source's data about one vehicle. Fields that it left empty are absent. */
export type Answer = Partial<Record<AnswerField, string>>;

/** Longer than any value that means something. */
const MOST_CHARACTERS = 120;

/** Words of a source that has no value. */
const NO_VALUE =
  /^(?:n\s?\/\s?[ad]|n\.a|nil|null|nan|undefined|unknown|unspecified|missing|no data|not (?:available|applicable|known|set|specified)|tbd|[-–—?.]+)\.?$/i;

/** Returns one value of a source as text; undefined if it says nothing, is too long, or is not a plain value. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.length > MOST_CHARACTERS || NO_VALUE.test(text) ? undefined : text;
}

/** Reads a stored answer. Anything but a known field with text is dropped. */
export function readStoredAnswer(json: string): Answer {
  const stored: unknown = JSON.parse(json);
  const answer: Answer = {};
  if (typeof stored !== 'object' || stored === null) return answer;
  const values = new Map<string, unknown>(Object.entries(stored));
  for (const field of ANSWER_FIELDS) {
    const text = textOfValue(values.get(field));
    if (text !== undefined) answer[field] = text;
  }
  return answer;
}

/** The reason for a failed look-up, in a word for the log and the administration pages. */
type FailureReason =
  | 'busy'
  | 'refused'
  | 'server error'
  | 'redirected'
  | 'address not allowed'
  | 'too many addresses'
  | 'too large'
  | 'not JSON'
  | 'not understood'
  | 'another VIN'
  | 'connection broke'
  | 'too slow'
  | 'bug';

/** The outcome of a look-up. */
export type LookUp =
  | { kind: 'found'; answer: Answer }
  /** The source answered, and has no data for this VIN. */
  | { kind: 'nothing' }
  | {
      kind: 'failed';
      reason: FailureReason;
      /** The source's Retry-After. */
      retryAfterMs?: number;
    };

/** Rate limits of a source, for all instances together and for each. */
export interface RateLimit {
  /** Look-ups a minute, all instances together. */
  perMinute: number;
  /** Look-ups under way at once, on one instance. */
  concurrent: number;
}

/** An external source that may have data for a VIN that the catalog does not. */
export interface Source {
  /** Names it in the database: letters, digits and hyphens. */
  readonly name: string;
  readonly rateLimit: RateLimit;
  /** The time limit of a look-up. */
  readonly timeoutMs: number;
  /** Returns true if asking this source about a VIN can help. Pure. */
  covers(vin: string): boolean;
  /** Looks up a VIN. Never rejects because of the source; when `signal` aborts, fails soon as `too slow`. */
  lookUp(vin: string, signal: AbortSignal): Promise<LookUp>;
  /** Closes its connections. */
  close(): Promise<void>;
}
