import type { Draft } from '../report/draft.ts';
import type { SpecField, SpecFieldRule } from '../report/fields.ts';
import type { Tolerance } from '../report/tolerance.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { agreed, sharedText } from './agree.ts';
import { Candidates } from './candidates.ts';
import { type Criteria, criteriaOf } from './criteria.ts';
import { coversBodies, coversEngines, mayBeEstates, ofBody, ofPower } from './rows.ts';
import {
  type CodedWords,
  listsGenerations,
  NOT_CODED,
  type SpecBasis,
  type SpecMarket,
  type SpecTable,
  type SpecTables,
  tellsFuel,
} from './tables.ts';

/** One value that the tables settle, with where it is from. */
export interface SpecAnswer {
  field: SpecField;
  /** The field's path in the report. */
  path: string;
  value: string | number;
  /** Title of the source. */
  source: string;
  basis: SpecBasis;
  market: SpecMarket;
  /** How many variants the VIN allows, all of which agree. */
  variants: number;
}

/** Where codes for the driven wheels and the gearbox are from: the makers' keys to their VINs, as submitted under 49 CFR 565. */
const CODES = "The makers' keys to their VINs";

const NONE: readonly SpecAnswer[] = [];

/** What depends on the body more than on the generation. */
const LUGGAGE: ReadonlySet<string> = new Set(['cargoVolumeLiters', 'cargoVolumeMaxLiters']);

/** What the body decides with the generation. */
const OUTSIDE: ReadonlySet<string> = new Set(['lengthMm', 'widthMm', 'heightMm', 'wheelbaseMm']);

/** What a registry's word for a fuel may stand for. */
const NEAR_FUELS: ReadonlyMap<string, string> = new Map([
  ['Hybrid', 'Plug-in hybrid'],
  ['Flex fuel', 'Gasoline'],
]);

const PLUGGED: ReadonlySet<string> = new Set(['Electric', 'Plug-in hybrid']);

type CodedJoining = Pick<Joining, 'draft' | 'decided' | 'answers'> & { coded: CodedWords };

/** The rows of one table that a VIN allows, and what was answered from the tables so far. */
interface Joining {
  draft: Draft;
  table: SpecTable;
  rows: readonly number[];
  /** Fields that a table had values of: another could only repeat it, or contradict it unheard. */
  decided: Set<SpecField>;
  answers: SpecAnswer[];
}

/**
 * Joins a reading with the tables of specifications: a value is answered only when all variants that the VIN still allows
 * agree. What the VIN itself says is never answered again, but narrows the variants.
 */
export class SpecJoin {
  readonly tables: SpecTables;
  readonly candidates: Candidates;

  constructor(tables: SpecTables) {
    this.tables = tables;
    this.candidates = new Candidates(tables);
  }

  /** What the tables settle of a draft beyond what it has, with the tables: also the evidence. */
  answers(draft: Draft, market: SpecMarket, codes: VinCodes): readonly SpecAnswer[] {
    if (draft.make === '' || draft.model === '') return NONE;
    const readings = this.tables.readings(draft.make, draft.model);
    const whole = readings[0];
    if (whole === undefined) return NONE;
    const isOpen = draft.driveType === '' || draft.transmission === '';
    const coded =
      market === 'north-america' && isOpen && whole.length === 1
        ? this.tables.byCode(whole[0] as number, draft.modelYear, codes.codes)
        : NOT_CODED;
    return this.#join(draft, market, readings, codes, coded);
  }

  /**
   * Whether a list of all variants has engines of the reading's size in that family and year, but none with so many cylinders:
   * size and cylinders are of different rows of the registry, and the size is the surer.
   */
  contradictsCylinders(draft: Draft, market: SpecMarket, codes: VinCodes): boolean {
    if (draft.cylinders === 0 || draft.displacementCc === 0) return false;
    const { rows, table } = this.#listed({ ...draft, cylinders: 0 }, market, codes);
    const cylinders = table?.columns.cylinders ?? [];
    return rows.length > 0 && rows.every((row) => cylinders[row] !== 0 && cylinders[row] !== draft.cylinders);
  }

  /**
   * The fuel that a list of all variants has of each car that the reading allows, where the registry's is a near one: it calls a
   * plug-in a hybrid, and engines that burn gasoline only flex fuel. "" where the list bears the reading out, or is not of one fuel.
   */
  fuelInstead(draft: Draft, market: SpecMarket, codes: VinCodes): string {
    const instead = NEAR_FUELS.get(draft.fuelType);
    if (instead === undefined) return '';
    const { rows, table } = this.#listed(draft, market, codes);
    const fuels = table?.columns.fuel ?? [];
    return rows.length > 0 && rows.every((row) => this.tables.word(fuels[row] ?? 0) === instead) ? instead : '';
  }

  /** Whether a list of all variants has gasoline engines of the reading's size in that family and year, none of them charged. */
  contradictsTurbo(draft: Draft, market: SpecMarket, codes: VinCodes): boolean {
    if (!draft.turbo || draft.displacementCc === 0 || draft.fuelType !== 'Gasoline') return false;
    const { rows, table } = this.#listed({ ...draft, turbo: false }, market, codes);
    if (table === undefined || rows.length === 0) return false;
    const { charged, fuel } = table.columns;
    return rows.every((row) => (charged[row] ?? 0) === 0 && this.tables.word(fuel[row] ?? 0) === 'Gasoline');
  }

  /** The bodies that Europe's lists have of a family in any generation. */
  bodiesOf(draft: Draft): ReadonlySet<string> {
    const bodies = new Set<string>();
    const key = this.tables.key(draft.make, draft.model);
    if (key < 0) return bodies;
    for (const { market, columns, rows } of this.tables.tables) {
      if (market !== 'europe' || columns.lengthMm.length === 0 || columns.body.length === 0) continue;
      for (let row = rows[key] as number; row < (rows[key + 1] as number); row++) {
        bodies.add(this.tables.word(columns.body[row] ?? 0));
      }
    }
    return bodies;
  }

  /** The rows of the list of all North American variants that are of the reading's engine, in its year. */
  #listed(draft: Draft, market: SpecMarket, codes: VinCodes): { rows: readonly number[]; table?: SpecTable } {
    const key = this.tables.key(draft.make, draft.model);
    const table = this.tables.tables.find(
      (known) => known.market === market && known.listsAll && known.id === 'epa' && known.columns.cylinders.length > 0,
    );
    if (key < 0 || table === undefined || draft.modelYear === 0) return { rows: [] };
    const open = { ...draft, powerKw: 0, driveType: '', transmission: '' };
    return { rows: this.candidates.gather(table, key, criteriaOf(open, codes, NOT_CODED)), table };
  }

  #join(
    draft: Draft,
    market: SpecMarket,
    readings: readonly (readonly number[])[],
    codes: VinCodes,
    coded: CodedWords,
  ): SpecAnswer[] {
    const answers: SpecAnswer[] = [];
    const decided = new Set<SpecField>();
    let criteria = criteriaOf(draft, codes, coded);
    // A list of cars with a plug says nothing of a car whose fuel is open: the same name may burn gasoline. It waits for the
    // lists that tell the fuel.
    const waiting: SpecTable[] = [];
    const join = (table: SpecTable): void => {
      // Nothing is open of what it could tell.
      if (!table.rules.some(({ field }) => isOpen(draft[field]) && !decided.has(field))) return;
      let rows = this.#rowsOf(table, readings, criteria);
      if (rows.length === 0 && (coded.drive !== '' || coded.gearbox !== '')) {
        // The list knows no such car with the wheels or gearbox that the VIN's characters tell: one of the two errs on them.
        const uncoded = { ...criteriaOf(draft, codes, NOT_CODED), generation: criteria.generation };
        rows = this.#rowsOf(table, readings, uncoded);
        const { drive, gearbox } = table.columns;
        const doubted: SpecField[] = [];
        if (coded.drive !== '' && drive.length > 0) doubted.push('driveType');
        if (coded.gearbox !== '' && gearbox.length > 0) doubted.push('transmission');
        if (rows.length > 0 && doubted.length > 0) {
          for (const field of doubted) decided.add(field);
          criteria = uncoded;
        }
      }
      if (rows.length === 0) return;
      const joining = { draft, table, rows, decided, answers };
      for (const rule of table.rules) {
        if (rule.tolerance === undefined) this.#text(rule, joining);
        else this.#number(rule, rule.tolerance, joining);
      }
      if (!listsGenerations(table)) return;
      // Two generations are sold in one year: the rest is that of the one that the list tells.
      const generation = answers.find(({ field }) => field === 'generation')?.value;
      if (generation !== undefined) criteria = { ...criteria, generation: String(generation) };
    };
    for (const table of this.tables.tables) {
      if (table.market !== market) continue;
      if (table.columns.batteryKwh.length > 0 && !PLUGGED.has(fuelOf(draft, answers))) waiting.push(table);
      else join(table);
    }
    const fuel = fuelOf(draft, answers);
    if (PLUGGED.has(fuel) && waiting.length > 0) {
      criteria = { ...criteria, fuel };
      for (const table of waiting) join(table);
    }
    if (coded !== NOT_CODED) answerCodes({ draft, coded, decided, answers }, market);
    return answers;
  }

  /** The rows of the first reading of the model's name of which each family has some. */
  #rowsOf(table: SpecTable, readings: readonly (readonly number[])[], criteria: Criteria): readonly number[] {
    for (const keys of readings) {
      // Most tables know nothing of most families.
      if (keys.some((key) => table.rows[key] === table.rows[key + 1])) continue;
      const rows = keys.map((key) => this.candidates.gather(table, key, criteria));
      if (rows.every(({ length }) => length > 0)) return rows.length === 1 ? (rows[0] ?? []) : rows.flat();
    }
    return [];
  }

  #number(rule: SpecFieldRule, tolerance: Tolerance, { draft, table, rows: all, decided, answers }: Joining): void {
    const { field, column, unknown, factor = 1 } = rule;
    const values = table.columns[column];
    if (draft[field] !== 0 || decided.has(field)) return;
    const rows =
      field === 'curbWeightKg' ? ofBody(this.tables, ofPower(all, table, powerOf(answers)), table, draft.body) : all;
    const known: number[] = [];
    for (const row of rows) if (values[row] !== 0) known.push(values[row] as number);
    if (known.length === 0) return;
    if (OUTSIDE.has(field) && draft.body === 'unknown' && !coversBodies(table, rows, values)) return;
    if (LUGGAGE.has(field) && draft.body === 'unknown' && mayBeEstates(this.tables, table, rows, known.length)) return;
    decided.add(field);
    if (unknown === 'blocks' ? !coversEngines(this.tables, table, rows, values) : known.length * 2 < rows.length)
      return;
    // Of several models the first is the commonest: length and height are that car's.
    const value = agreed(known, tolerance, OUTSIDE.has(field) && draft.model.includes(' / '));
    if (value === 0) return;
    const scaled = factor === 1 ? value : Math.round(value * factor * 10) / 10;
    answers.push(answerOf(rule, scaled, table, rows.length));
  }

  #text(rule: SpecFieldRule, { draft, table, rows, decided, answers }: Joining): void {
    const { field, column, unknown } = rule;
    const values = table.columns[column];
    if (draft[field] !== '' || decided.has(field)) return;
    if (field === 'fuelType' && !tellsFuel(table, draft.displacementCc)) return;
    const words = new Set<string>();
    let known = 0;
    for (const row of rows) {
      const word = values[row] as number;
      if (word === 0) continue;
      words.add(this.tables.word(word));
      known++;
    }
    if (known === 0 || (unknown === 'blocks' && known < rows.length)) return;
    decided.add(field);
    if (known * 2 < rows.length) return;
    const value = sharedText(field, words);
    if (value !== '') answers.push(answerOf(rule, value, table, rows.length));
  }
}

function isOpen(value: string | number): boolean {
  return value === '' || value === 0;
}

/** Answers what the VIN's characters tell and no table decided. */
function answerCodes({ draft, coded, decided, answers }: CodedJoining, market: SpecMarket): void {
  const said = [
    ['driveType', coded.drive],
    ['transmission', coded.gearbox],
  ] as const;
  for (const [field, value] of said) {
    if (value === '' || draft[field] !== '' || decided.has(field)) continue;
    const origin = { source: CODES, basis: 'registered', market, variants: 1 } as const;
    answers.push({ field, path: `specs.${field}`, value, ...origin });
  }
}

/** Writes answers into a draft. */
export function writeAnswers(answers: readonly { field: SpecField; value: string | number }[], draft: Draft): void {
  const fields = draft as Record<SpecField, string | number>;
  for (const { field, value } of answers) fields[field] = value;
}

function answerOf(
  { field, path }: SpecFieldRule,
  value: string | number,
  { id, title, basis, market }: SpecTable,
  variants: number,
): SpecAnswer {
  // Curb weights out of test weights are an estimate, whatever the table's other values are.
  const estimated = field === 'curbWeightKg' && id === 'epa';
  return { field, path, value, source: title, basis: estimated ? 'estimated' : basis, market, variants };
}

function powerOf(answers: readonly SpecAnswer[]): number {
  return Number(answers.find(({ field }) => field === 'powerKw')?.value ?? 0);
}

function fuelOf(draft: Draft, answers: readonly SpecAnswer[]): string {
  return draft.fuelType !== ''
    ? draft.fuelType
    : String(answers.find(({ field }) => field === 'fuelType')?.value ?? '');
}
