import { FUEL_TYPES } from '../values/vocabulary.ts';
import { BODY_STYLES } from '@marque/decoder';
import { type Static, Type } from 'typebox';

const text = Type.Optional(Type.String({ minLength: 1 }));
const year = Type.Optional(Type.Integer({ minimum: 1900, maximum: 2060 }));
const tally = Type.Optional(Type.Integer({ minimum: 0 }));
const count = Type.Optional(Type.Number({ exclusiveMinimum: 0 }));

/** Spellings of fuels. */

/**
 * One row of a code table, as its file has it. Which columns a table has is its own affair; these are all there are.
 */
export const TableRow = Type.Object(
  {
    /** Positions of the code, joined by "+": "7-8", "4+7-8", "7+8+12". */
    positions: Type.String({ pattern: String.raw`^\d+(-\d+)?(\+\d+(-\d+)?)*$` }),
    /** The characters at these positions: literals, "." for any, "[A-C]" for a set; "|" between alternatives. */
    code: Type.String({ minLength: 1 }),
    /** Applies to these WMIs of the layout only: "VF1|X7L". */
    wmi: Type.Optional(Type.String({ pattern: '^[A-HJ-NPR-Z0-9]{3}([|][A-HJ-NPR-Z0-9]{3})*$' })),
    /** Applies to this layout of the maker only. */
    layout: text,
    /** First and last year in which the code has this meaning. */
    from: year,
    to: year,
    /** Inclusive range of positions 13-17. */
    serial_from: Type.Optional(Type.String({ pattern: '^[A-HJ-NPR-Z0-9]{5}$' })),
    serial_to: Type.Optional(Type.String({ pattern: '^[A-HJ-NPR-Z0-9]{5}$' })),
    /** Applies only if other rows give this generation. */
    with_generation: text,
    make: text,
    model: text,
    model_code: text,
    generation: text,
    trim: text,
    body: Type.Optional(Type.Enum(BODY_STYLES)),
    /** The body in people's words where the canonical one is too coarse: "Minivan", "Chassis cab". */
    body_label: text,
    doors: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
    vehicle_type: text,
    fuel: Type.Optional(Type.Enum(FUEL_TYPES)),
    engine: text,
    engine_code: text,
    cylinders: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
    cc: count,
    kw: count,
    battery_kwh: count,
    drive: Type.Optional(Type.Enum(['FWD', 'RWD', 'AWD'])),
    transmission: Type.Optional(Type.String({ pattern: '^(Manual|Automatic)(, .+)?$' })),
    emissions: text,
    market: text,
    plant_city: text,
    plant_country: text,
    model_year: year,
    confidence: Type.Enum(['A', 'B', 'C', 'G']),
    /** Keys of sources.csv, joined by "+". */
    source: Type.String({ minLength: 1 }),
    /** The confirmation of a row of confidence C or G: without it the row answers nothing. */
    agreed: text,
    /** For learned rows: labeled cars with the code, their independent groups, and the groups that contradict it. */
    vins: tally,
    groups: tally,
    against: tally,
    note: text,
  },
  { additionalProperties: false },
);
export type TableRow = Static<typeof TableRow>;

/** The numeric columns. */
export const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  'from',
  'to',
  'doors',
  'cylinders',
  'cc',
  'kw',
  'battery_kwh',
  'model_year',
  'vins',
  'groups',
  'against',
]);

/** Instructions for filling a column, for messages. */
export const COLUMN_HELP: Readonly<Record<string, string>> = {
  positions: 'positions joined by "+", such as 7-8 or 4+7-8',
  code: 'the characters at these positions, "." for any and [A-C] for a set',
  wmi: 'WMIs of three characters with "|" between them',
  from: 'a year of four digits',
  to: 'a year of four digits',
  serial_from: 'five characters: positions 13-17',
  serial_to: 'five characters: positions 13-17',
  body: `one of ${BODY_STYLES.filter((style) => style !== 'unknown').join(', ')}`,
  doors: 'a number from 1 to 6',
  fuel: `one of ${FUEL_TYPES.join(', ')}`,
  cylinders: 'a number from 1 to 16',
  cc: 'cubic centimeters, a number',
  kw: 'kilowatts, a number',
  battery_kwh: 'kilowatt-hours, a number',
  drive: 'FWD, RWD or AWD',
  transmission: 'Manual or Automatic, with detail after a comma: "Automatic, 8-speed"',
  model_year: 'a year of four digits',
  confidence: 'A (two sources), B (one source), C (one or two labeled VINs) or G (general knowledge)',
  source: 'keys of sources.csv joined by "+"',
};
