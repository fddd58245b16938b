import { VIN_CHARACTERS } from '@marque/decoder';
import { groupOf } from '../../labels/groups.ts';
import { lowerBound, REQUIRED } from '../../bound.ts';
import { inOrder, type SerialCar, type Series, SERIES_POSITIONS, serialOf, seriesOf, yearAt } from './serials.ts';

/** Counts how often neighbors gave the year of a held-out car, and how often rightly. */
export interface Tried {
  right: number;
  count: number;
}

/** Trials by class: the success of the positions in the layout's other series, and that of the series itself. */
export type WindowCounts = Map<number, Tried>;

/** Serial numbers of one model year, both ends among them. */
export interface Window {
  series: Series;
  from: string;
  to: string;
  year: number;
  cars: readonly SerialCar[];
}

/** A series with what its cars say about one another. */
interface TriedSeries extends Tried {
  series: Series;
}

/** Positions are tried on this many cars of a layout first: most part nothing, and that shows soon. */
const SCREENED = 2_000;
const SCREENING_SHARE = 0.8;

/** The largest number of choices: no VIN may match more rows than a reading has room for. */
const MOST_CHOICES = 4;
const MOST_WINDOWS = 16;

/** These only have to part series that behave differently: the bound decides in each class. */
const FEWEST_TRIED = 10;
const GOOD_SHARE = 0.95;
const CLASSES = 3;

/** A layout's cars with what each choice of positions makes of them. */
export class SerialYears {
  readonly #choices: TriedSeries[][] = [];

  constructor(cars: readonly SerialCar[]) {
    const ordered = inOrder(cars);
    const every = Math.ceil(ordered.length / SCREENED);
    const few = ordered.filter((_, index) => index % every === 0);
    for (const positions of SERIES_POSITIONS) {
      const screened = total(seriesOf(few, positions).map(trySeries));
      if (screened.right <= screened.count * SCREENING_SHARE) continue;
      this.#choices.push(seriesOf(ordered, positions).map(trySeries));
    }
  }

  /** Adds the trials to the counts. */
  countInto(counts: WindowCounts): void {
    for (const choice of this.#choices) {
      for (const { series: _, right, count } of choice) {
        const others = othersOf(choice, { right, count });
        // A car that is held out is no evidence for its own series.
        addTried(counts, classOf(others, { right: right - 1, count: count - 1 }), { right, count: right });
        addTried(counts, classOf(others, { right, count: count - 1 }), { right: 0, count: count - right });
      }
    }
  }

  /** Returns the series whose class the bound carries: those of the fewest positions for each car. */
  carried(counts: WindowCounts): Series[] {
    const covered = new Set<SerialCar>();
    const found: Series[][] = [];
    for (const choice of this.#choices) {
      const own = choice.filter((one) => one.count > 0 && carries(counts.get(classOf(othersOf(choice, one), one))));
      const first = own.map(({ series }) => series).filter(({ cars }) => !cars.some((car) => covered.has(car)));
      for (const { cars } of first) for (const car of cars) covered.add(car);
      if (first.length > 0) found.push(first);
      if (found.length === MOST_CHOICES) break;
    }
    return found.flat();
  }
}

/** Adds trials made elsewhere. */
export function addTried(counts: WindowCounts, evidence: number, { right, count }: Tried): void {
  if (count === 0) return;
  const before = counts.get(evidence) ?? { right: 0, count: 0 };
  counts.set(evidence, { right: before.right + right, count: before.count + count });
}

/** Returns true if the trials confirm a year. */
export function carries(tried: Tried | undefined): boolean {
  return tried !== undefined && lowerBound(tried.right, tried.count) >= REQUIRED.identity;
}

/** Returns all that was tried, together. */
export function total(tried: readonly Tried[]): Tried {
  return tried.reduce((sum, { right, count }) => ({ right: sum.right + right, count: sum.count + count }), {
    right: 0,
    count: 0,
  });
}

/** Holds out each car with its group, and counts those whose year follows from the cars beside it. */
function trySeries(series: Series): TriedSeries {
  const tried = { series, right: 0, count: 0 };
  for (const [at, { vin, years }] of series.cars.entries()) {
    const year = yearAt(series, at, groupOf(vin));
    if (year === undefined) continue;
    tried.count++;
    if (year >= years[0] && year <= years[1]) tried.right++;
  }
  return tried;
}

/** Sums the trials in the other series of a choice. */
function othersOf(choice: readonly Tried[], { right, count }: Tried): Tried {
  const all = total(choice);
  return { right: all.right - right, count: all.count - count };
}

/** Returns the class of a series' evidence, as a number: the success of its positions in the others, and its own. */
function classOf(others: Tried, own: Tried): number {
  const isTried = others.count >= FEWEST_TRIED;
  const elsewhere = !isTried ? 0 : others.right < others.count * GOOD_SHARE ? 1 : 2;
  const here = own.count === 0 ? 0 : own.right < own.count ? 1 : 2;
  return elsewhere * CLASSES + here;
}

/** Returns the windows of a series: where the cars on both sides say the same year, or pass from one to the next. */
export function windowsOf(series: Series): Window[] {
  const { cars } = series;
  const windows: { first: number; last: number; year: number }[] = [];
  for (let at = 1; at < cars.length; at++) {
    const year = yearAt(series, at);
    if (year === undefined) continue;
    const before = windows.at(-1);
    if (before?.last === at - 1 && before.year === year) before.last = at;
    else windows.push({ first: at - 1, last: at, year });
  }
  const widest = windows.toSorted((a, b) => b.last - b.first - (a.last - a.first)).slice(0, MOST_WINDOWS);
  return widest.map(({ first, last, year }) => windowOf(series, cars.slice(first, last + 1), year));
}

function windowOf(series: Series, cars: readonly SerialCar[], year: number): Window {
  const [first, last] = [cars[0], cars.at(-1)];
  const [from, to] = [first === undefined ? '' : serialOf(first), last === undefined ? '' : serialOf(last)];
  // The car that a year begins after belongs to the one before.
  const begins = first?.years[0] === year ? from : nextSerial(from);
  return { series, from: begins, to, year, cars };
}

/** Returns the serial number after this one, in the order of characters. */
function nextSerial(serial: string): string {
  const last = VIN_CHARACTERS.indexOf(serial.at(-1) ?? '');
  const head = serial.slice(0, -1);
  if (last + 1 < VIN_CHARACTERS.length) return head + VIN_CHARACTERS.charAt(last + 1);
  return head === '' ? VIN_CHARACTERS.charAt(0) : nextSerial(head) + VIN_CHARACTERS.charAt(0);
}
