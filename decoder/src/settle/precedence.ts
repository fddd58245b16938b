import { DRAFT_FIELDS, type DraftField } from '../report/draft.ts';

/** One source of values: when it is asked, which fields it may set, and whose values it may replace. */
interface Precedence {
  /** The case in which the source is asked, and the basis of its claims. */
  holds: string;
  sets: readonly DraftField[] | 'all';
  /** Sources whose values give way to its own; without any it fills open fields only. */
  overrules: readonly string[] | 'any';
}

const ENGINE = ['cylinders', 'displacementCc', 'configuration', 'engineModel'] as const;
const BODY = ['body', 'bodyLabel', 'possibleBodies'] as const;

/**
 * The table of precedence: all sources of values in the order in which they are asked. A claim takes an open field; it
 * replaces a value only of a source that its row names. README.md explains it.
 */
export const PRECEDENCE = {
  vpic: { holds: "NHTSA's tables, for a VIN in North American form", sets: 'all', overrules: [] },
  names: {
    holds: "corrections of names, for a vehicle read by NHTSA's tables",
    sets: ['make', 'model', 'badge', 'modelCode'],
    overrules: ['vpic'],
  },
  bodies: { holds: "corrections of bodies, for a vehicle read by NHTSA's tables", sets: BODY, overrules: ['vpic'] },
  details: {
    holds: "the doors and the cab in NHTSA's tables",
    sets: BODY,
    overrules: ['vpic', 'bodies'],
  },
  engineCodes: {
    holds: "what an engine's code means, against cylinders and size of the same VIN",
    sets: ENGINE,
    overrules: ['vpic'],
  },
  possible: {
    holds: 'engines that no vehicle has, and codes that contradict the cylinders',
    sets: ENGINE,
    overrules: 'any',
  },
  values: {
    holds: "corrections of values, for a vehicle read by NHTSA's tables",
    sets: [...ENGINE, 'powerKw', 'fuelType', 'modelCode', 'plantCity', 'trim', 'badge'],
    overrules: ['vpic', 'names', 'engineCodes', 'possible', 'values'],
  },
  cycle: {
    holds: 'two years 30 apart remain: what depends on the year is left out',
    sets: 'all',
    overrules: 'any',
  },
  layout: {
    holds: "the maker's layout, for a VIN in another form; else it completes a vehicle of the same make and model",
    sets: 'all',
    overrules: [],
  },
  wmi: { holds: 'the WMI alone, where no make is known', sets: ['make', 'vehicleType'], overrules: [] },
  approvals: {
    holds: 'type approvals that all agree, for a VIN in another form',
    sets: 'all',
    overrules: ['layout', 'wmi'],
  },
  families: {
    holds: 'the one body that a family was built with',
    sets: BODY,
    overrules: ['vpic', 'bodies', 'details', 'layout', 'approvals', 'families'],
  },
  type: { holds: 'the vehicle type, where it implies a body', sets: BODY, overrules: [] },
  badges: {
    holds: 'the name of the vehicle, where it says the driven wheels or the fuel',
    sets: ['driveType', 'fuelType'],
    overrules: 'any',
  },
  form: {
    holds: 'the form of the VIN, which shows the market, and its first two characters, which show the region',
    sets: ['market', 'region'],
    overrules: [],
  },
  engines: {
    holds: 'the list of all engines of a market, where no engine of it agrees',
    sets: ['cylinders', 'configuration', 'turbo', 'fuelType'],
    overrules: 'any',
  },
  specs: { holds: "lists of the market's variants that all agree", sets: 'all', overrules: [] },
  registers: {
    holds: 'registers of single vehicles that all agree, for a VIN in another form',
    sets: 'all',
    overrules: ['layout', 'approvals'],
  },
  wording: { holds: 'how people write a value', sets: 'all', overrules: 'any' },
} as const satisfies Record<string, Precedence>;

export type Source = keyof typeof PRECEDENCE;

/** The sources in their order, and the number of each. */
export const SOURCES = Object.keys(PRECEDENCE) as Source[];
export const SOURCE = Object.fromEntries(SOURCES.map((name, number) => [name, number])) as Record<Source, number>;

const SETS = new Uint8Array(SOURCES.length * DRAFT_FIELDS.length);
const OVERRULES = new Uint8Array(SOURCES.length * SOURCES.length);
for (const [number, name] of SOURCES.entries()) {
  const { sets, overrules }: Precedence = PRECEDENCE[name];
  for (const [field, draft] of DRAFT_FIELDS.entries()) {
    if (sets === 'all' || sets.includes(draft)) SETS[number * DRAFT_FIELDS.length + field] = 1;
  }
  for (const [other, otherName] of SOURCES.entries()) {
    if (overrules === 'any' || overrules.includes(otherName)) OVERRULES[number * SOURCES.length + other] = 1;
  }
}

/** Returns true if a source may set a field; both by their numbers. */
export function maySet(source: number, field: number): boolean {
  return SETS[source * DRAFT_FIELDS.length + field] === 1;
}

/** Returns true if a source's value replaces that of another; both by their numbers. */
export function mayOverrule(source: number, holder: number): boolean {
  return OVERRULES[source * SOURCES.length + holder] === 1;
}
