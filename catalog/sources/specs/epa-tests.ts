import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { federalStandard, sharedStandard } from './epa-words.ts';
import { squash } from './names.ts';
import { readRecords } from './records.ts';

const KW_PER_HP = 0.745_699_872;
const KG_PER_LB = 0.453_592_37;
const LITERS_PER_CUBIC_INCH = 0.016_387_064;
/** The test weight is the curb weight and 300 lb of load (40 CFR 1037.520, 86.129), rounded to a class. */
const LOAD_LB = 300;
/**
 * The highest test weight that is used, in pounds: of the heavier cars of one such weight that OMEGA weighed, a third
 * is more than 6 % off; electric ones are not.
 */
const FINEST_LB = 5250;

interface Test {
  year: number;
  model: string;
  /** The model without its driven wheels, which tests often name otherwise than the list of vehicles. */
  family: string;
  /** The driven wheels in the model's name. */
  wheels: Wheels;
  liters: number;
  cylinders: number;
  hp: number;
  testWeightLb: number;
  drive: string;
}

/** EPA's tests and certificates of one download folder, by test group and by vehicle. */
export interface EpaTests {
  /** EPA's number of a vehicle to its test groups. */
  groupsOf: ReadonlyMap<string, ReadonlySet<string>>;
  standardOf: ReadonlyMap<string, string>;
  byGroup: ReadonlyMap<string, readonly Test[]>;
  byModel: ReadonlyMap<string, readonly Test[]>;
  /** Tests by make, model without its driven wheels, and year. */
  byFamily: ReadonlyMap<string, readonly Test[]>;
}

type Wheels = 'all' | 'two' | '';

const ALL_WHEELS = /\b(?:4wd|awd|4x4)\b/i;
const TWO_WHEELS = /\b(?:2wd|fwd|rwd|4x2|2x4)\b/i;

/** Returns a model's name without its make and driven wheels, squashed: "NISSAN ROGUE AWD SL" as "roguesl". */
function familyOf(make: string, model: string): string {
  const plain = model.replaceAll(new RegExp(ALL_WHEELS, 'gi'), '').replaceAll(new RegExp(TWO_WHEELS, 'gi'), '');
  const squashed = squash(plain);
  const maker = squash(make);
  return maker !== '' && squashed.startsWith(maker) && squashed !== maker ? squashed.slice(maker.length) : squashed;
}

function wheelsOf(model: string): Wheels {
  if (ALL_WHEELS.test(model)) return 'all';
  return TWO_WHEELS.test(model) ? 'two' : '';
}

/** Reads the yearly files `YYYY-testcar.csv` and `YYYY-emissions.csv` (also .gz) of a folder. */
export async function readTests(folder: string): Promise<EpaTests> {
  const byGroup = new Map<string, Test[]>();
  const byModel = new Map<string, Test[]>();
  const byFamily = new Map<string, Test[]>();
  const groupsOf = new Map<string, Set<string>>();
  const standards = new Map<string, Map<number, Set<string>>>();
  for (const name of readdirSync(folder).toSorted()) {
    const file = join(folder, name);
    if (name.includes('emissions')) await readEmissions(file, groupsOf, standards);
    else if (name.includes('testcar')) await readTestCars(file, { byGroup, byModel, byFamily });
  }
  return { groupsOf, standardOf: settle(standards), byGroup, byModel, byFamily };
}

/** Sales areas with the federal standard, the plainest first: 3 federal, 9 both, 1 older federal. */
const FEDERAL = [3, 9, 1];

async function readEmissions(
  file: string,
  groupsOf: Map<string, Set<string>>,
  standards: Map<string, Map<number, Set<string>>>,
): Promise<void> {
  for await (const row of readRecords(file, { encoding: 'windows-1252' })) {
    const [id = '', group = ''] = [row.get('id'), row.get('efid')];
    put(groupsOf, id, group);
    const area = Number(row.get('salesArea'));
    const standard = federalStandard(row.get('standard') ?? '');
    if (standard === undefined || !FEDERAL.includes(area)) continue;
    const areas = standards.get(id) ?? new Map<number, Set<string>>();
    standards.set(id, areas);
    put(areas, area, standard);
  }
}

function put<Key>(sets: Map<Key, Set<string>>, key: Key, value: string): void {
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set.add(value));
}

function settle(standards: ReadonlyMap<string, ReadonlyMap<number, Set<string>>>): Map<string, string> {
  const settled = new Map<string, string>();
  for (const [id, areas] of standards) {
    const area = FEDERAL.find((candidate) => areas.has(candidate));
    const standard = sharedStandard(area === undefined ? [] : (areas.get(area) ?? []));
    if (standard !== undefined) settled.set(id, standard);
  }
  return settled;
}

type TestLists = Record<'byGroup' | 'byModel' | 'byFamily', Map<string, Test[]>>;

async function readTestCars(file: string, { byGroup, byModel, byFamily }: TestLists): Promise<void> {
  for await (const row of readRecords(file, { encoding: 'windows-1252' })) {
    const old = row.has('EF_ID');
    const text = (before2010: string, since2010: string): string => row.get(old ? before2010 : since2010) ?? '';
    const make = text('', 'Represented Test Veh Make');
    const model = text('CL_NM', 'Represented Test Veh Model');
    const displacement = Number(text('GBE_CID_MSR', 'Test Veh Displacement (L)'));
    const test: Test = {
      year: Number(text('MDLYR_DT', 'Model Year')),
      model: squash(model),
      family: familyOf(make, model),
      wheels: wheelsOf(model),
      liters: old ? displacement * LITERS_PER_CUBIC_INCH : displacement,
      cylinders: Number(text('VC_CYL_CNT', '# of Cylinders and Rotors')),
      hp: Number(text('VC_RTD_HP_MSR', 'Rated Horsepower')),
      testWeightLb: Number(text('VC_DSN_ETW_MSR', 'Equivalent Test Weight (lbs.)')),
      drive: text('DRV_SYS_CD', 'Drive System Code').charAt(0),
    };
    const group = text('EF_ID', 'Actual Tested Testgroup');
    push(byGroup, group, test);
    // Before 2010 the maker is the parent company; a model's name alone would join different cars.
    if (old) continue;
    push(byModel, `${squash(make)}|${test.model}|${test.year}`, test);
    push(byFamily, `${squash(make)}|${test.family}|${test.year}`, test);
  }
}

function push(lists: Map<string, Test[]>, key: string, test: Test): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [test]);
  else list.push(test);
}

/** A vehicle to look up. */
export interface TestedVehicle {
  id: string;
  year: number;
  make: string;
  model: string;
  liters: number;
  cylinders: number;
  /** EPA's words for the driven wheels. */
  drive: string;
  electric: boolean;
}

/** The results of a vehicle's tests: power in kilowatts, an estimate of the curb weight. */
export interface Measures {
  powerKw?: number;
  curbKg?: number;
  /** The power is that of another model of the test group: the same engine family, but perhaps another rating. */
  isOfGroup: boolean;
  /** The vehicle was tested with several powers: no neighbor's power can decide between them. */
  hasSeveralPowers: boolean;
}

/** Returns the rated power and an estimate of the curb weight, if the vehicle's tests agree. */
export function measuresOf(tests: EpaTests, vehicle: TestedVehicle): Measures {
  const own = testsOf(tests, vehicle).filter((test) => isSameEngine(test, vehicle));
  const name = squash(vehicle.model);
  const named = own.filter((test) => test.model === name);
  const near = named.length > 0 ? named : own.filter((t) => t.model.startsWith(name) || name.startsWith(t.model));
  const power = (tests: readonly Test[]): number | undefined =>
    agreed(
      numbers(tests, 'hp').filter((hp) => isRating(hp, vehicle.liters)),
      0.05,
    );
  // A test group is one engine family; the rating of another model of it is no evidence for this one.
  const ownName = vehicle.electric ? undefined : power(near);
  const hp = vehicle.electric ? undefined : (ownName ?? power(own));
  const tested = testWeightOf(tests, vehicle, own);
  const weight = vehicle.electric || (tested ?? 0) <= FINEST_LB ? tested : undefined;
  return {
    isOfGroup: ownName === undefined && hp !== undefined,
    hasSeveralPowers: hp === undefined && !vehicle.electric && numbers(own, 'hp').length > 0,
    ...(hp !== undefined && { powerKw: Math.round(hp * KW_PER_HP) }),
    ...(weight !== undefined && { curbKg: Math.round(((weight - LOAD_LB) * KG_PER_LB) / 10) * 10 }),
  };
}

function isSameEngine(test: Test, { liters, cylinders }: TestedVehicle): boolean {
  if (Math.abs(test.liters - liters) > 0.11) return false;
  return test.cylinders === 0 || cylinders === 0 || test.cylinders === cylinders;
}

/** Words for other bodies: a 535i Gran Turismo weighs 300 kg more than a 535i. */
const OTHER_BODY = /gran(?!ge)|turismo|wagon|convert|cabrio|coupe|roadster|spyder|lwb|crew|cab|ext|hybrid|phev/;

/** Returns true if one of two squashed names is the other with a trim behind it. */
function isVariant(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short !== '' && long.startsWith(short) && !OTHER_BODY.test(long.slice(short.length));
}

/** Returns the test weight of cars of the family and engine, of those with the same driven wheels if there are any. */
function testWeightOf(tests: EpaTests, vehicle: TestedVehicle, own: readonly Test[]): number | undefined {
  const family = familyOf(vehicle.make, vehicle.model);
  const exact = own.filter((test) => test.family === family);
  const named = exact.length > 0 ? exact : own.filter((test) => isVariant(test.family, family));
  const near =
    named.length > 0
      ? named
      : (tests.byFamily.get(`${squash(vehicle.make)}|${family}|${vehicle.year}`) ?? []).filter((test) =>
          isSameEngine(test, vehicle),
        );
  const code = driveCode(vehicle.drive);
  const wheels = code.includes('4') ? 'all' : 'two';
  const sameDrive = near.filter(
    (test) => test.year === vehicle.year && (code.includes(test.drive) || test.wheels === wheels),
  );
  return agreed(numbers(sameDrive.length > 0 ? sameDrive : near, 'testWeightLb'), 0.06);
}

/**
 * Returns true if a number is an engine's power: the lists also have test cells' settings and placeholders in its
 * place.
 */
function isRating(hp: number, liters: number): boolean {
  const perLiter = hp / liters;
  return perLiter >= 27 && perLiter <= 270;
}

function testsOf(tests: EpaTests, { id, make, model, year }: TestedVehicle): readonly Test[] {
  const groups = [...(tests.groupsOf.get(id) ?? [])];
  const tested = groups.flatMap((group) => tests.byGroup.get(group) ?? []);
  return tested.length > 0 ? tested : (tests.byModel.get(`${squash(make)}|${squash(model)}|${year}`) ?? []);
}

function driveCode(drive: string): string {
  if (drive.startsWith('Front')) return 'F';
  return drive.startsWith('Rear') ? 'R' : drive.startsWith('2-') ? 'FR' : '4AP';
}

function numbers(tests: readonly Test[], key: 'hp' | 'testWeightLb'): number[] {
  return tests.map((test) => test[key]).filter((value) => value > 0);
}

/** Returns the commonest of the values when all are within a tolerance. */
export function agreed(values: readonly number[], tolerance: number): number | undefined {
  if (values.length === 0) return undefined;
  if (Math.max(...values) > Math.min(...values) * (1 + tolerance)) return undefined;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}
