import type { VpicFacts } from './facts.ts';

/**
 * vPIC's tables as the compiler takes them, whichever download they come from. Patterns are columns, since there are
 * up to 1.7 million of them.
 */
export interface VpicTables {
  /** The name and date of the data, for `catalog info`. */
  label: string;
  /** True if NHTSA's own data has more: elements, tables and rows. */
  isReduced: boolean;
  wmis: WmiRow[];
  links: LinkRow[];
  schemas: Map<number, string>;
  patterns: PatternColumns;
  /** Element id to the lookup table its attributes point into; absent = literal values. */
  lookupOfElement: Map<number, string>;
  /** Lower-case table name to id to name. */
  lookups: Map<string, Map<string, string>>;
  /** NHTSA's notes on its elements, by id. */
  elements: Map<number, ElementNote>;
  engineModels: Map<number, string>;
  engineModelPatterns: EngineModelPatternRow[];
  /** Model id to make name. */
  makeOfModel: Map<string, string>;
  vehicleSpecs: VehicleSpecRow[];
  /** VINs whose check digit NHTSA knows to be wrong. */
  checkDigitExceptions: string[];
  /** Data of the download itself, in place of facts/vpic. */
  facts: Partial<Omit<VpicFacts, 'lookups'>>;
}

/** The common values of all vehicles of some models and years that have the key values. */
export interface VehicleSpecRow {
  make: string;
  vehicleType: number;
  /** Ids of models. */
  models: string[];
  /** Empty: any year. */
  years: number[];
  keys: AttributeRow[];
  values: AttributeRow[];
}

export interface AttributeRow {
  element: number;
  attribute: string;
}

export interface ElementNote {
  /** Kind of the values: `lookup`, `string`, `int` or `decimal`. */
  dataType: string;
  /** Part of the vehicle; empty: none. */
  group: string;
  /** HTML, as NHTSA serves it. */
  description: string;
}

export interface WmiRow {
  id: number;
  wmi: string;
  manufacturer: string;
  manufacturerId: number;
  vehicleType: number;
  truckType: number;
  /** False where NHTSA has not (yet) published the WMI: its own decoder hides such rows. */
  published: boolean;
  makes: string[];
  country: string;
  /** Days since 1970; 0: not given. */
  created: number;
  updated: number;
  /** When NHTSA made, or will make, the WMI public. */
  available: number;
}

export interface LinkRow {
  wmiId: number;
  schemaId: number;
  yearFrom: number;
  /** Null = open. */
  yearTo: number | null;
}

/** One pattern row spread over columns; the index is the row. */
export interface PatternColumns {
  count: number;
  id: Int32Array;
  schema: Int32Array;
  key: string[];
  element: Uint16Array;
  attribute: string[];
  /** Microseconds since 2000 of the last change. */
  changed: Float64Array;
}

export interface EngineModelPatternRow {
  id: number;
  engineModelId: number;
  element: number;
  attribute: string;
  changed: number;
}

/** Returns the day of one of vPIC's timestamps in days since 1970; 0: not given. */
export function dayOf(timestamp: string | null): number {
  return timestamp === null || timestamp === '' ? 0 : Date.parse(`${timestamp.slice(0, 10)}T00:00:00Z`) / 86_400_000;
}

/** Reads vPIC's timestamps ("2019-12-21 20:26:30.583") as microseconds since 2000, so that they compare. */
export function microseconds(timestamp: string | null): number {
  if (timestamp === null || timestamp === '') return 0;
  const seconds = Date.parse(`${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}Z`) / 1000 - 946_684_800;
  // Some end in the letter for UTC.
  const fraction = timestamp.slice(20, 26).replace('Z', '').padEnd(6, '0');
  return seconds * 1e6 + Number(fraction);
}
