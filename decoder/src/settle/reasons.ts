import type { DraftField } from '../report/draft.ts';

/** The reason of a source's claim without a row: in words, and the fields from which the value is derived. */
interface Reason {
  text: string;
  from: readonly DraftField[];
  /** The positions of the VIN that it rests on. */
  positions?: readonly number[];
}

/** All reasons. A claim by a reason has a negative row. */
const REASONS = {
  year: { text: 'the model year', from: [] },
  wmi: { text: 'the record of the WMI', from: [] },
  layout: { text: "the maker's layout of its VINs", from: [] },
  window: { text: 'the one year in which all rows hold', from: [] },
  doors: { text: 'the number of doors', from: ['body'] },
  cab: { text: 'the cab', from: ['body'] },
  engineCode: { text: 'what the code of the engine means', from: ['engineModel', 'cylinders', 'displacementCc'] },
  contradicted: { text: 'the code of the engine contradicts its cylinders', from: ['engineModel', 'cylinders'] },
  impossible: {
    text: 'no vehicle has such an engine',
    from: ['cylinders', 'displacementCc', 'configuration', 'vehicleType'],
  },
  bothYears: { text: 'the two years that remain differ in it', from: [] },
  usualBody: { text: 'the vehicle type implies the body', from: ['vehicleType'] },
  badge: { text: 'the name of the vehicle', from: ['model', 'badge', 'modelCode', 'trim', 'bodyLabel'] },
  region: { text: 'the first two characters (ISO 3780)', from: [], positions: [1, 2] },
  form: { text: 'the VIN has the form of North America', from: ['model'] },
  listed: {
    text: "no engine of the market's list agrees",
    from: ['make', 'model', 'modelYear', 'displacementCc', 'cylinders'],
  },
  listedFuel: {
    text: "the fuel of all such engines of the market's list",
    from: ['make', 'model', 'modelYear', 'displacementCc', 'fuelType'],
  },
  body: { text: 'what people call a vehicle of this body', from: ['body', 'bodyLabel'] },
  family: { text: "the bodies of the model's list", from: ['make', 'model'] },
  trim: { text: 'the trim and the badge as people write them', from: ['trim', 'badge', 'make', 'model'] },
  noModel: { text: 'it is of a model, and none is known', from: ['model'] },
  repeated: { text: 'it repeats the generation', from: ['modelCode', 'generation'] },
  electric: { text: 'what such a drive train has', from: ['fuelType'] },
  line: {
    text: 'size, cylinders, fuel and power in one line',
    from: ['engine', 'displacementCc', 'cylinders', 'configuration', 'turbo', 'engineModel', 'fuelType', 'powerKw'],
  },
} as const satisfies Record<string, Reason>;

type ReasonName = keyof typeof REASONS;
const NAMES = Object.keys(REASONS) as ReasonName[];

/** Negative numbers that stand for reasons where a claim has no row. */
export const BY = Object.fromEntries(NAMES.map((name, number) => [name, -1 - number])) as Record<ReasonName, number>;

/** Returns the reason of a claim; undefined if it is made by a row of its source. */
export function reasonOf(row: number): Reason | undefined {
  const name = NAMES[-1 - row];
  return name === undefined ? undefined : REASONS[name];
}
