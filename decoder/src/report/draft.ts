import type { BodyStyle } from './report.ts';

/** The arrangement of an engine's cylinders, by the number that the catalog file uses; the first is "not known". */
export const CONFIGURATIONS = ['', 'Inline', 'V', 'W', 'Flat', 'Rotary'] as const;

/** The values of an undecoded VIN: empty texts and zeros. */
export const EMPTY = {
  make: '',
  model: '',
  modelCode: '',
  /** The model's own badge, such as "328i" of a 3 Series: a part of the trim. */
  badge: '',
  generation: '',
  trim: '',
  body: 'unknown' as BodyStyle,
  bodyLabel: '',
  possibleBodies: [] as readonly string[],
  modelYear: 0,
  vehicleType: '',
  fuelType: '',
  /** The maker's name of the engine. */
  engine: '',
  engineModel: '',
  /** The number of cylinders by the engine's code. */
  codeCylinders: 0,
  /** The engine as a report has it; empty until it is composed. */
  engineLine: '',
  cylinders: 0,
  /** The place in CONFIGURATIONS. */
  configuration: 0,
  turbo: false,
  displacementCc: 0,
  powerKw: 0,
  batteryCapacityKwh: 0,
  driveType: '',
  transmission: '',
  emissionsStandard: '',
  market: '',
  region: '',
  plantCity: '',
  plantCountry: '',
  lengthMm: 0,
  widthMm: 0,
  heightMm: 0,
  wheelbaseMm: 0,
  curbWeightKg: 0,
  grossWeightKg: 0,
  groundClearanceMm: 0,
  cargoVolumeLiters: 0,
  cargoVolumeMaxLiters: 0,
};

/** The values decoded from the VIN, before they are written as a report. Empty texts and zeros are open. */
export type Draft = typeof EMPTY;

export type DraftField = keyof Draft;

/** The fields of a draft; the place of each is its number. */
export const DRAFT_FIELDS = Object.keys(EMPTY) as DraftField[];

/** Returns a draft without any value. */
export function emptyDraft(): Draft {
  return { ...EMPTY };
}

const NOTHING: Draft = Object.freeze(emptyDraft());

/**
 * Returns the part of a draft that a report shows: nothing without a make, because the vehicle is not identified then.
 */
export function reportedDraft(draft: Draft): Draft {
  return draft.make === '' ? NOTHING : draft;
}

/** Returns true if two drafts have the same values. */
export function sameDraft(a: Draft, b: Draft): boolean {
  for (const name of DRAFT_FIELDS) if (a[name] !== b[name] && name !== 'possibleBodies') return false;
  const bodies = b.possibleBodies;
  return a.possibleBodies.length === bodies.length && a.possibleBodies.every((body, index) => body === bodies[index]);
}
