import type { Draft } from '../report/draft.ts';
import { OPEN_FROM, OPEN_TO } from '../report/world-fields.ts';
import type { SpecMarket } from '../specs/table.ts';
import type { WorldReading } from '../world/reading.ts';
import type { Ranking } from './ranking.ts';

/** Lists name about as many variants of either kind: what most cars have comes before what many variants have. */
const FACTOR = 5;

/** Last model year in which three of four cars sold in Europe had a manual gearbox, of nearly all makes. */
const LAST_MANUAL_YEAR = 2009;

/** Bodies of which as many are driven by all wheels as by two. */
const OFF_ROAD: ReadonlySet<string> = new Set(['suv', 'pickup', 'truck']);

/** Bodies that were sold with a diesel first of all. */
const WORKING: ReadonlySet<string> = new Set(['van', 'bus', 'truck', 'pickup']);

/** Weighs the candidates of a European car by what most cars of its time and body have. */
export function weighByPrior(
  market: SpecMarket | undefined,
  known: Draft,
  { productionFrom, productionTo }: WorldReading,
  {
    transmission,
    driveType,
    fuelType,
  }: Readonly<Record<'transmission' | 'driveType' | 'fuelType', Ranking<string | number>>>,
): void {
  if (market === 'north-america') return;
  const middle = productionFrom === OPEN_FROM || productionTo === OPEN_TO ? 0 : (productionFrom + productionTo) / 2;
  const year = known.modelYear === 0 ? middle : known.modelYear;
  if (year !== 0 && year <= LAST_MANUAL_YEAR) transmission.weigh((value) => (value === 'Manual' ? FACTOR : 1));
  if (!OFF_ROAD.has(known.body)) driveType.weigh((value) => (value === 'Front-wheel drive' ? FACTOR : 1));
  fuelType.weigh((value) => fuelPrior(market, known, value));
}

/** Returns the factor by which a fuel is likelier than others for a vehicle with the known body. */
export function fuelPrior(market: SpecMarket | undefined, { body }: Draft, fuel: string | number): number {
  return market !== 'north-america' && fuel === 'Diesel' && WORKING.has(body) ? FACTOR : 1;
}

/** The first years of fuels that not all times had; facts of a car's own make come before them. */
const SOLD_FROM: ReadonlyMap<string | number, number> = new Map([
  ['Hybrid', 2000],
  ['Electric', 2010],
  ['Plug-in hybrid', 2012],
  ['Hydrogen', 2014],
]);

/** Returns true if a vehicle may have a usual value of the make, by its years. */
export function isOfTime(value: string | number, { modelYear }: Draft, { productionTo }: WorldReading): boolean {
  const latest = modelYear === 0 ? productionTo : modelYear;
  return latest >= (SOLD_FROM.get(value) ?? 0);
}
