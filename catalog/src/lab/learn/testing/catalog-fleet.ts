import { checkDigitOf, type Decoder, parsePattern, type PositionSet, YEAR_CODES } from '@marque/decoder';

import type { Label, LabeledVin } from '../../../labels/labeled.ts';
import type { VinLayout, WorldRow } from '../../../world/model.ts';
import { randomNumbers } from '../../random.ts';

/** Cars of one type, on average, as a marketplace has them. */
const CARS_OF_TYPE = 25;
/** Rows beside the model's that a type is given: engine, body, gearbox. */
const OTHER_ROWS = 4;
const [FIRST_YEAR, LAST_YEAR] = [2004, 2024];
const FIRST_CODED_YEAR = 1980;
/** Positions of makers' codes, from 0: all but check digit, year and serial number. */
const CODED = [3, 4, 5, 6, 7, 10];

export interface CatalogFleet {
  cars: number;
  /** The share of cars with the label of another car. */
  wrongShare: number;
  /** The size of the fleet that has the same types: fleets of other sizes share them. */
  typesOf?: number;
  seed?: number;
}

/** A kind of car: what its VINs have in common, and the years in which it was built. */
interface CarType {
  layout: VinLayout;
  places: readonly PositionSet[];
  years: readonly [number, number];
}

/**
 * Generates a marketplace's stock of cars in the catalog: VINs that its rows describe, with the labels decoded from
 * them. Some types are many, most are few.
 *
 * @param layouts the layouts of the cars
 * @param decoder decodes each car's label
 */
export function* catalogFleet(
  layouts: readonly VinLayout[],
  decoder: Pick<Decoder, 'decode'>,
  { cars, wrongShare, typesOf = cars, seed = 1 }: CatalogFleet,
): Generator<LabeledVin> {
  const random = randomNumbers(seed);
  const maker = new TypeMaker(layouts, random);
  const types = Array.from({ length: Math.ceil(typesOf / CARS_OF_TYPE) }, () => maker.make());
  let other: Label | undefined;
  for (let count = 0; count < cars;) {
    const type = types[Math.floor(random() ** 2 * types.length)];
    if (type === undefined) continue;
    const vin = vinOf(type, random);
    const label = labelOf(decoder, vin);
    if (label === undefined) continue;
    const expected = other !== undefined && random() < wrongShare ? other : label;
    other = label;
    count++;
    yield { vin, expected, yearBasis: 'model-year' };
  }
}

/** Makes types of cars from the rows of layouts. */
class TypeMaker {
  readonly #random: () => number;
  readonly #families: { layout: VinLayout; row: WorldRow }[];

  constructor(layouts: readonly VinLayout[], random: () => number) {
    this.#random = random;
    this.#families = layouts.flatMap((layout) =>
      layout.rows.filter(({ outputs }) => outputs.model !== undefined).map((row) => ({ layout, row })),
    );
  }

  make(): CarType {
    const { layout, row } = this.#pick(this.#families);
    const places: PositionSet[] = Array.from({ length: 17 }, () => undefined);
    const wmi = this.#pick(layout.wmis);
    put(places, `${wmi.slice(0, 3)}${wmi.length > 3 ? `........${wmi.slice(3)}` : ''}`);
    if (layout.when.length > 0) put(places, this.#pick(layout.when));
    put(places, row.pattern);
    for (let other = 0; other < OTHER_ROWS; other++) put(places, this.#pick(layout.rows).pattern);
    for (const at of CODED) places[at] = this.#pick(places[at] ?? 'ABCZ0123');
    const from = Math.max(FIRST_YEAR, row.years[0] ?? 0, layout.years[0] ?? 0);
    const to = Math.min(LAST_YEAR, row.years[1] ?? LAST_YEAR, layout.years[1] ?? LAST_YEAR);
    return { layout, places, years: [from, Math.max(from, to)] };
  }

  #pick<T>(from: ArrayLike<T>): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }
}

/** Narrows the places by a pattern, unless it contradicts them. */
function put(places: PositionSet[], pattern: string): void {
  const sets = parsePattern(pattern);
  const common = sets.map((set, at) => [...(set ?? '')].filter((one) => places[at]?.includes(one) ?? true).join(''));
  if (sets.some((set, at) => set !== undefined && common[at] === '')) return;
  for (const [at, set] of common.entries()) if (set !== '') places[at] = set;
}

function vinOf({ layout, places, years: [from, to] }: CarType, random: () => number): string {
  const pick = (set: string): string => set.charAt(Math.floor(random() * set.length));
  const characters = places.map((set) => pick(set ?? '0123456789'));
  const letter = YEAR_CODES.charAt(
    (from + Math.floor(random() * (to - from + 1)) - FIRST_CODED_YEAR) % YEAR_CODES.length,
  );
  if (layout.year === 'position-10') characters[9] = letter;
  if (layout.year === 'position-11') characters[10] = letter;
  const vin = characters.join('');
  return layout.checkDigit === 'none' ? vin : `${vin.slice(0, 8)}${checkDigitOf(vin)}${vin.slice(9)}`;
}

function labelOf(decoder: Pick<Decoder, 'decode'>, vin: string): Label | undefined {
  const { manufacturer, model, modelYear, bodyStyleNormalized, specs } = decoder.decode(vin);
  if (manufacturer === undefined || model === undefined) return undefined;
  return {
    manufacturer,
    model,
    ...(modelYear !== undefined && { modelYear }),
    ...(bodyStyleNormalized !== 'unknown' && { bodyStyleNormalized }),
    ...(specs?.fuelType !== undefined && { fuelType: specs.fuelType }),
    ...(specs?.displacementCc !== undefined && { displacementCc: specs.displacementCc }),
  };
}
