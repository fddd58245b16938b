import type { SpecRow } from '../../src/specs/columns.ts';
import { agreed, type EpaTests, measuresOf, readTests } from './epa-tests.ts';
import { badgeOf, bodyOf, cargoOf, driveOf, fuelOf, gearboxOf } from './epa-words.ts';
import { isMildHybrid } from './mild-hybrids.ts';
import type { Families } from './names.ts';
import { readRecords } from './records.ts';
import type { Refusals } from './refused.ts';

/** Before this year neither power nor emissions standard is known, and nearly every model came with two gearboxes. */
const FIRST_YEAR = 1990;

interface EpaRow {
  row: SpecRow;
  /** EPA's own words for the driven wheels, until a neighbor decides their meaning. */
  epaDrive: string;
  /** Its power is that of another model of the test group. */
  isOfGroup: boolean;
  /** Its own tests contradict each other, so that no neighbor's power may be used. */
  hasSeveralPowers: boolean;
}

/**
 * Reads EPA's vehicles (fueleconomy.gov `vehicles.csv`) with power, emissions standard and test weight from the Test
 * Car Lists and certificates: one row a family, year and variant. Refused values go before others are carried from year
 * to year; `generations` bounds the years over which weights are.
 */
export async function readEpa(
  vehiclesFile: string,
  testsFolder: string,
  families: Families,
  refusals: Refusals,
  generations: readonly SpecRow[],
): Promise<SpecRow[]> {
  const tests = await readTests(testsFolder);
  const rows: EpaRow[] = [];
  for await (const record of readRecords(vehiclesFile)) {
    const year = Number(record.get('year'));
    if (year >= FIRST_YEAR) rows.push(...toRows(record, year, tests, families));
  }
  settleDrives(rows);
  for (const { row } of rows) refusals.apply(row);
  carryPower(rows);
  const read = rows.map(({ row }) => row);
  carryWeight(read, generations);
  return read;
}

function toRows(record: ReadonlyMap<string, string>, year: number, tests: EpaTests, families: Families): EpaRow[] {
  const text = (name: string): string => record.get(name) ?? '';
  const [make, model] = [text('make'), text('model')];
  let names = families.find(make, model);
  if (names.length === 0) names = families.find(make, text('baseModel'));
  const luggage = { hatchback: Number(text('hlv')), coupe: Number(text('lv2')), sedan: Number(text('lv4')) };
  const liters = Number(text('displ'));
  const cylinders = Number(text('cylinders'));
  const isMild = text('atvType') === 'Hybrid' && isMildHybrid(make, model, year);
  const fuel = fuelOf(text('fuelType'), isMild ? '' : text('atvType'));
  const electric = fuel === 'Electric' || fuel === 'Hydrogen';
  const id = text('id');
  const measures = measuresOf(tests, { id, year, make, model, liters, cylinders, drive: text('drive'), electric });
  const drive = driveOf(text('drive'));
  // The tests of mild hybrids name powers that two engines of one size share, or neither has.
  const powerKw = isMild ? undefined : powerOf(fuel, drive, measures.powerKw, text('evMotor'));
  return names.map((name) => {
    const row: SpecRow = { make: name.make, model: name.model, badge: badgeOf(name.badge), from: year, to: year };
    const said = defined({
      body: bodyOf(text('VClass'), name.badge, luggage),
      fuel,
      cc: liters > 0 ? Math.round(liters * 1000) : undefined,
      cylinders: cylinders > 0 && !electric ? cylinders : undefined,
      charged: text('tCharger') + text('sCharger') === '' ? undefined : 1,
      drive,
      gearbox: gearboxOf(text('trany')),
      powerKw,
      emissions: tests.standardOf.get(id),
      cargoL: cargoOf(luggage),
      curbKg: measures.curbKg,
    });
    const { isOfGroup } = measures;
    const hasSeveralPowers = measures.hasSeveralPowers || isMild;
    return { row: Object.assign(row, said), epaDrive: text('drive'), isOfGroup, hasSeveralPowers };
  });
}

/**
 * Returns the rated power. EPA lists the engine's alone for hybrids, which is not the car's; and the motors of electric
 * cars one by one, whose sum is not the car's peak where there are several. A single one of a car with all wheels
 * driven is that of an axle.
 */
function powerOf(
  fuel: string | undefined,
  drive: string | undefined,
  engineKw: number | undefined,
  motor: string,
): number | undefined {
  if (fuel === 'Hybrid' || fuel === 'Plug-in hybrid') return undefined;
  if (fuel !== 'Electric' && fuel !== 'Hydrogen') return engineKw;
  if (drive !== undefined && isAllWheel(drive)) return undefined;
  const single = /^(\d+(?:\.\d+)?) ?kW(?: [A-Za-z]|$)/.exec(motor);
  return single && !/ and |, |\+/.test(motor) ? positive(Math.round(Number(single[1]))) : undefined;
}

/** Returns a rated power. A motor below 5 kW drives no road vehicle: such entries are placeholders. */
function positive(kw: number): number | undefined {
  return kw >= 5 ? kw : undefined;
}

/** Returns the properties that have a value. */
export function defined<T extends object>(properties: { [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * Settles driven wheels, for which EPA before about 2010 wrote "4-Wheel or All-Wheel Drive" and "2-Wheel Drive". The
 * same model's other years mostly say which; a pickup's four driven wheels are four-wheel drive, a car's all-wheel
 * drive.
 */
function settleDrives(rows: readonly EpaRow[]): void {
  const known = new Map<string, Set<string>>();
  for (const { row } of rows) {
    if (row.drive === undefined) continue;
    const key = `${row.make}|${row.model}|${isAllWheel(row.drive) ? 4 : 2}`;
    known.set(key, (known.get(key) ?? new Set<string>()).add(row.drive));
  }
  for (const { row, epaDrive } of rows) {
    if (row.drive !== undefined || epaDrive === '') continue;
    const wheels = epaDrive.startsWith('4') ? 4 : 2;
    const seen = [...(known.get(`${row.make}|${row.model}|${wheels}`) ?? [])];
    if (seen.length === 1 && seen[0] !== undefined) row.drive = seen[0];
    else if (wheels === 4) row.drive = row.body === 'pickup' ? 'Four-wheel drive' : 'All-wheel drive';
    else if (row.body === 'pickup') row.drive = 'Rear-wheel drive';
  }
}

function isAllWheel(drive: string): boolean {
  return drive === 'All-wheel drive' || drive === 'Four-wheel drive';
}

/** Years within which the same engine's power before and after a year is taken for that year. */
const YEARS_BETWEEN = 3;

/**
 * Gives a row without power that of rows with the same engine in the same family and year; else the one that the years
 * before and after agree on. A power on one side only may be that of another generation.
 */
function carryPower(rows: readonly EpaRow[]): void {
  distrustLoners(rows);
  distrustUncharged(rows);
  carry(rows, (row, measured) => measured.get(engineKey(row, row.from)));
  carry(rows, (row, measured) => {
    const side = (step: number): number[] => {
      for (let years = 1; years <= YEARS_BETWEEN; years++) {
        const found = measured.get(engineKey(row, row.from + step * years));
        if (found !== undefined) return found;
      }
      return [];
    };
    const [before, after] = [side(-1), side(1)];
    return before.length > 0 && after.length > 0 ? [...before, ...after] : undefined;
  });
}

function carry(
  rows: readonly EpaRow[],
  near: (row: SpecRow, measured: ReadonlyMap<string, number[]>) => readonly number[] | undefined,
): void {
  const measured = new Map<string, number[]>();
  for (const { row } of rows) {
    if (row.powerKw === undefined) continue;
    const key = engineKey(row, row.from);
    measured.set(key, [...(measured.get(key) ?? []), row.powerKw]);
  }
  for (const { row, hasSeveralPowers } of rows) {
    if (hasSeveralPowers || row.powerKw !== undefined || row.fuel === 'Hybrid' || row.fuel === 'Plug-in hybrid')
      continue;
    const power = agreed(near(row, measured) ?? [], 0.05);
    if (power !== undefined) row.powerKw = power;
  }
}

/** A weight of one side only is carried over as many years. */
const YEARS_BESIDE = 2;

/**
 * Fills weights from the nearest years of the same variant and generation that have one: of both sides, which must
 * agree, or of one side that is near. For the weights that the tests have, those around give 96 % within 6 %.
 */
function carryWeight(rows: readonly SpecRow[], generations: readonly SpecRow[]): void {
  const byFamily = Map.groupBy(generations, ({ make, model }) => `${make}|${model}`);
  const generationOf = ({ make, model }: SpecRow, year: number): string | undefined => {
    const known = (byFamily.get(`${make}|${model}`) ?? []).filter(({ from, to }) => from <= year && year <= to);
    const names = new Set(known.map(({ generation }) => generation));
    return names.size === 1 ? known[0]?.generation : undefined;
  };
  const keyOf = (row: SpecRow, year: number, of = year): string =>
    [engineKey(row, year), row.drive, row.gearbox?.startsWith('Manual'), generationOf(row, of)].join('|');
  const measured = new Map<string, number[]>();
  const inGeneration = new Map<string, number[]>();
  for (const row of rows) {
    if (row.curbKg === undefined) continue;
    const key = keyOf(row, row.from);
    measured.set(key, [...(measured.get(key) ?? []), row.curbKg]);
    const variant = keyOf(row, 0, row.from);
    inGeneration.set(variant, [...(inGeneration.get(variant) ?? []), row.curbKg]);
  }
  for (const row of rows) {
    if (row.curbKg !== undefined || generationOf(row, row.from) === undefined) continue;
    const side = (step: number): { years: number; weights: readonly number[] } => {
      for (let years = 1; years <= YEARS_BETWEEN; years++) {
        const year = row.from + step * years;
        if (generationOf(row, year) !== generationOf(row, row.from)) break;
        const weights = measured.get(keyOf(row, year));
        if (weights !== undefined) return { years, weights };
      }
      return { years: Number.POSITIVE_INFINITY, weights: [] };
    };
    // If the tests of a variant differ from year to year, one of them is of another car.
    if (agreed(inGeneration.get(keyOf(row, 0, row.from)) ?? [], 0.08) === undefined) continue;
    const [before, after] = [side(-1), side(1)];
    const isBetween = before.weights.length > 0 && after.weights.length > 0;
    if (!isBetween && Math.min(before.years, after.years) > YEARS_BESIDE) continue;
    const weight = agreed([...before.weights, ...after.weights], 0.05);
    if (weight !== undefined) row.curbKg = weight;
  }
}

/** A rating this far from that of the same car in other years is another car's, or a slip. */
const OTHER_RATING = 0.12;

/**
 * Drops powers that the years around contradict: one of the test group when none of the car's own agrees with it, one
 * of the car's own when the years before and after agree with each other and not with it.
 */
function distrustLoners(rows: readonly EpaRow[]): void {
  const own = new Map<string, number[]>();
  for (const { row, isOfGroup } of rows) {
    if (isOfGroup || row.powerKw === undefined) continue;
    const key = engineKey(row, row.from);
    own.set(key, [...(own.get(key) ?? []), row.powerKw]);
  }
  for (const { row, isOfGroup } of rows) {
    const { powerKw } = row;
    if (powerKw === undefined) continue;
    const side = (step: number): number[] =>
      Array.from(
        { length: YEARS_BETWEEN },
        (_, index) => own.get(engineKey(row, row.from + step * (index + 1))) ?? [],
      ).flat();
    const [before, same, after] = [side(-1), isOfGroup ? (own.get(engineKey(row, row.from)) ?? []) : [], side(1)];
    const around = [...before, ...same, ...after];
    const agrees = around.some((other) => Math.abs(other - powerKw) <= OTHER_RATING * powerKw);
    const isBetween = before.length > 0 && after.length > 0 && agreed(around, 0.05) !== undefined;
    if (around.length > 0 && !agrees && (isOfGroup || isBetween)) delete row.powerKw;
  }
}

/**
 * Drops the power of an engine without a charger that is rated like one of the same size with: the test was of the
 * charged one.
 */
function distrustUncharged(rows: readonly EpaRow[]): void {
  const charged = new Map<string, number[]>();
  for (const { row } of rows) {
    if (row.charged !== 1 || row.powerKw === undefined) continue;
    charged.set(sizeKey(row), [...(charged.get(sizeKey(row)) ?? []), row.powerKw]);
  }
  for (const { row } of rows) {
    const { powerKw } = row;
    if (row.charged === 1 || powerKw === undefined) continue;
    const alike = (charged.get(sizeKey(row)) ?? []).some((other) => Math.abs(other - powerKw) <= 0.05 * powerKw);
    if (alike) delete row.powerKw;
  }
}

function sizeKey({ make, model, cc, cylinders, from }: SpecRow): string {
  return [make, model, cc, cylinders, from].join('|');
}

function engineKey(row: SpecRow, year: number): string {
  const battery = row.fuel === 'Electric' ? row.drive : '';
  const fuel = row.fuel === 'Flex fuel' ? 'Gasoline' : row.fuel;
  return [row.make, row.model, row.badge, row.cc, row.cylinders, fuel, row.charged, battery, year].join('|');
}
