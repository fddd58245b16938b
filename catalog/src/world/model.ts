import type { BodyStyle, Confidence, VinPattern } from '@marque/decoder';

/**
 * The encoding of the model year in a layout.
 * `position-10`: the 30-year letter at position 10.
 * `position-11`: the same letter at 11 (month at 12: Ford of Europe).
 * `none`: the VIN does not give it.
 */
export type YearRule = 'position-10' | 'position-11' | 'none';

/** The VIN layout of a maker, market and era, with the rows that apply to it. */
export interface VinLayout {
  /** "volkswagen/row": the facts file and the layout's name. */
  id: string;
  /** The make if no row has another; undefined if only rows can give it. */
  make: string | undefined;
  /** World manufacturer identifiers: 3 characters, or 6 where the third is 9 (positions 1-3 and 12-14). */
  wmis: readonly string[];
  /** The VIN must match one of these; empty means any VIN of the WMIs. */
  when: readonly VinPattern[];
  /** Further conditions on the check digit: `valid`, `invalid` or any. */
  whenCheckDigit: 'valid' | 'invalid' | 'any';
  year: YearRule;
  /** First and last model year built under this layout; null = open. */
  years: readonly [number | null, number | null];
  /** The check digit at position 9 of this market's VINs. */
  checkDigit: 'mandatory' | 'reported' | 'none';
  vehicleType: string | undefined;
  /** True if it gives the make of a WMI that several makes share only together with the model. */
  makeNeedsModel: boolean;
  rows: readonly WorldRow[];
}

/** The values of a vehicle whose VIN matches a row's pattern. An absent field is unknown. */
export interface WorldOutputs {
  make?: string;
  model?: string;
  modelCode?: string;
  generation?: string;
  trim?: string;
  /** Canonical body and its human label ("Hatchback, 5-door"). */
  body?: BodyStyle;
  bodyLabel?: string;
  /** One of VEHICLE_TYPES. */
  vehicleType?: string;
  /** One of FUEL_TYPES (values/vocabulary.ts): Gasoline, Diesel, Electric, Hybrid, Plug-in hybrid… */
  fuelType?: string;
  /** Engine as people write it: "1.6 TDI". */
  engine?: string;
  engineCode?: string;
  cylinders?: number;
  displacementCc?: number;
  powerKw?: number;
  batteryCapacityKwh?: number;
  /** One of DRIVE_TYPES: Front-wheel drive, Rear-wheel drive, All-wheel drive, Four-wheel drive… */
  driveType?: string;
  /** One of TRANSMISSIONS, with the number of speeds after it where known: "Automatic, 8-speed". */
  transmission?: string;
  emissionsStandard?: string;
  market?: string;
  plantCity?: string;
  plantCountry?: string;
  /** Model year, if a row gives it by itself. */
  modelYear?: number;
}

/** One fact: a pattern and its meaning. */
export interface WorldRow {
  pattern: VinPattern;
  /** Production or model years in which the code has this meaning; null = open. */
  years: readonly [number | null, number | null];
  /** Inclusive range of positions 13-17, for makers whose serial numbers give the model or year. */
  serial?: readonly [from: string, to: string];
  /** The row counts only if the other rows give this generation: several series use the same serials. */
  guard?: { readonly generation: string };
  /** The row applies to this layout only. */
  layout?: string;
  outputs: WorldOutputs;
  /** Learned from labeled cars: it counts where no other row does. */
  learned?: true;
  confidence: Confidence;
  source: string;
  /** Source of the fact, for evidence: "volkswagen/codes.csv:12". */
  origin: string;
}
