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

/** One value of a source as text; undefined where it is empty, no plain value, or too long to be one. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.length > MOST_CHARACTERS ? undefined : text;
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
