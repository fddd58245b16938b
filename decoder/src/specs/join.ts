import type { Draft } from '../report/draft.ts';
import { bitOf, SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { share, type Tolerance } from '../report/tolerance.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { agreed, sharedText } from './agree.ts';
import { type Criteria, criteriaOf } from './criteria.ts';
import { Findings } from './findings.ts';
import { NumberList } from './number-list.ts';
import { coversBodies, coversEngines, keepWeighed, mayBeEstates } from './rows.ts';
import { listsGenerations, type SpecMarket, type SpecTable, tellsFuel } from './table.ts';
import { type CodedWords, type Family, hasRows, NOT_CODED, type SpecTables, type TableOfFamily } from './tables.ts';
import { Variants } from './variants.ts';

const DRIVE = bitOf('driveType');
const GEARBOX = bitOf('transmission');
/** Luggage depends on the body more than on the generation. */
const LUGGAGE = bitOf('cargoVolumeLiters') | bitOf('cargoVolumeMaxLiters');
/** Outside dimensions are fixed by generation and body together. */
const OUTSIDE = bitOf('lengthMm') | bitOf('widthMm') | bitOf('heightMm') | bitOf('wheelbaseMm');
/** A vehicle is one of several models: its measures are answered only where they are nearly the same for all. */
const OF_SEVERAL_MODELS = share(0.01);
const RULE_OF_DRIVE = SPEC_RULES.find(({ field }) => field === 'driveType') as SpecFieldRule;
const RULE_OF_GEARBOX = SPEC_RULES.find(({ field }) => field === 'transmission') as SpecFieldRule;

function isPlugged(fuel: string): boolean {
  return fuel === 'Electric' || fuel === 'Plug-in hybrid';
}

/**
 * Joins decoded values with the tables of specifications: a value is answered only when all variants that the VIN still
 * allows agree. Values of the VIN itself are never answered again, but narrow the variants.
 */
export class SpecJoin {
  readonly tables: SpecTables;
  readonly variants: Variants;
  #found = new Findings();
  readonly #rows = new NumberList();
  /** The rows whose weights count. */
  readonly #weighed = new NumberList();
  readonly #values = new NumberList();
  readonly #waiting: SpecTable[] = [];

  constructor(tables: SpecTables) {
    this.tables = tables;
    this.variants = new Variants(tables);
  }

  /**
   * Puts the further values that the tables decide for a vehicle into `found`. `open`: the bits of the fields without a
   * value.
   */
  answers(draft: Draft, open: number, market: SpecMarket, codes: VinCodes, found: Findings): Findings {
    this.#found = found;
    found.clear(open);
    if (draft.make === '' || draft.model === '') return found;
    const family = this.tables.family(draft.make, draft.model);
    const [whole] = family.names;
    if (whole === undefined) return found;
    const isOpen = (found.open & (DRIVE | GEARBOX)) !== 0;
    const coded =
      market === 'north-america' && isOpen && whole.length === 1
        ? this.tables.byCode(whole[0] as number, draft.modelYear, codes.codes)
        : NOT_CODED;
    const tables = family.tables[market];
    if (tables.length > 0 || coded !== NOT_CODED) this.#join(draft, family, tables, codes, coded);
    if (coded !== NOT_CODED) answerCodes(coded, found);
    return found;
  }

  /**
   * Returns the VIN's characters that the tables of a market look at: two VINs with the same values and the same text
   * are answered alike.
   */
  charactersOf({ make, model, modelYear }: Draft, market: SpecMarket, codes: VinCodes): string {
    const { names } = this.tables.family(make, model);
    const [whole] = names;
    const coded =
      market === 'north-america' && whole?.length === 1
        ? this.tables.byCode(whole[0] as number, modelYear, codes.codes)
        : NOT_CODED;
    const patterns = this.tables.patternsOf(market, names.flat());
    const held = patterns.filter((number) => this.tables.patterns.hold(number, codes.codes));
    return `${coded.drive}|${coded.gearbox}|${held.join(' ')}`;
  }

  #join(draft: Draft, family: Family, tables: readonly TableOfFamily[], codes: VinCodes, coded: CodedWords): void {
    const found = this.#found;
    const joining: Joining = {
      draft,
      family,
      criteria: criteriaOf(draft, codes, coded, this.tables.driveNames),
      coded,
    };
    // A list of cars with a plug does not cover a car whose fuel is open: the same name may burn gasoline. It waits for
    // the lists that have the fuel.
    const waiting = this.#waiting;
    waiting.length = 0;
    const { modelYear } = draft;
    for (const { table, from, to } of tables) {
      // Lists of one year have rows of most families, and of few vehicles. A neighbor of the year may count.
      if (modelYear !== 0 && (from > modelYear + 1 || to < modelYear - 1)) continue;
      if (table.has.batteryKwh && !isPlugged(fuelOf(draft, found))) waiting.push(table);
      else this.#joinTable(table, joining);
    }
    const fuel = waiting.length === 0 ? '' : fuelOf(draft, found);
    if (!isPlugged(fuel)) return;
    joining.criteria.fuel = fuel;
    for (const table of waiting) this.#joinTable(table, joining);
  }

  #joinTable(table: SpecTable, joining: Joining): void {
    const found = this.#found;
    // Skips tables whose fields are all decided.
    if ((table.fields & found.open & ~found.decided) === 0) return;
    if (table.isOfOneCountry && !knowsEngine(table, joining.draft, found)) return;
    const rows = this.#rowsOf(table, joining);
    if (rows.length === 0) return;
    for (const rule of table.rules) {
      const { bit } = rule;
      if ((found.open & bit) === 0 || (found.decided & bit) !== 0) continue;
      if (rule.tolerance === undefined) this.#text(rule, bit, table, joining.draft);
      else this.#number(rule, bit, rule.tolerance, table, joining.draft);
    }
    if (!listsGenerations(table)) return;
    // Two generations can share a model year; once one is known, later tables must match it.
    const generation = found.of('generation');
    if (generation !== undefined) joining.criteria.generation = String(generation);
  }

  /** Returns the rows of a table, without the VIN's own codes for wheels and gearbox where no row agrees with these. */
  #rowsOf(table: SpecTable, joining: Joining): NumberList {
    const { coded, draft, criteria } = joining;
    const rows = this.#gather(table, joining.family, criteria);
    if (rows.length > 0 || coded === NOT_CODED || (coded.drive === '' && coded.gearbox === '')) return rows;
    // The list has no such car with the wheels or gearbox that the VIN's characters mean: one of the two errs on them.
    const uncoded = criteriaOf(draft, criteria.codes, NOT_CODED, this.tables.driveNames);
    uncoded.generation = criteria.generation;
    this.#gather(table, joining.family, uncoded);
    const doubted =
      (coded.drive !== '' && table.has.drive ? DRIVE : 0) | (coded.gearbox !== '' && table.has.gearbox ? GEARBOX : 0);
    if (rows.length > 0 && doubted !== 0) {
      this.#found.decided |= doubted;
      joining.criteria = uncoded;
    }
    return rows;
  }

  /**
   * Returns the rows for the first interpretation of the model's name in which every family has rows. @returns valid
   * until the next call.
   */
  #gather(table: SpecTable, { names }: Family, criteria: Criteria): NumberList {
    const rows = this.#rows;
    rows.cut(0);
    for (const keys of names) {
      if (!hasRows(table, keys)) continue;
      let isWhole = true;
      for (const key of keys) isWhole &&= this.variants.gather(table, key, criteria, rows);
      if (isWhole) return rows;
      rows.cut(0);
    }
    return rows;
  }

  #number(rule: SpecFieldRule, bit: number, tolerance: Tolerance, table: SpecTable, draft: Draft): void {
    const found = this.#found;
    const { field, column, unknown, factor = 1 } = rule;
    const values = table.columns[column];
    let rows = this.#rows;
    if (field === 'curbWeightKg') {
      rows = this.#weighed;
      const powerKw = Number(found.of('powerKw') ?? 0);
      keepWeighed(this.tables, this.#rows, table, { body: draft.body, powerKw }, rows);
    }
    const known = this.#values;
    known.cut(0);
    for (let at = 0; at < rows.length; at++) {
      const value = values[rows.at(at)] as number;
      if (value !== 0) known.add(value);
    }
    if (known.length === 0) return;
    if (draft.body === 'unknown') {
      if ((OUTSIDE & bit) !== 0 && !coversBodies(table, rows, values)) return;
      if ((LUGGAGE & bit) !== 0 && mayBeEstates(this.tables, table, rows, known.length)) return;
    }
    found.decided |= bit;
    if (known.length < rows.length) {
      if (unknown === 'blocks' ? !coversEngines(this.tables, table, rows, values) : known.length * 2 < rows.length)
        return;
    }
    const isOneOf = (OUTSIDE & bit) !== 0 && draft.model.includes(' / ');
    if (isOneOf && known.length < rows.length) return;
    const value = agreed(known, isOneOf ? OF_SEVERAL_MODELS : tolerance);
    if (value === 0) return;
    found.add(rule, factor === 1 ? value : Math.round(value * factor * 10) / 10, table, rows.length);
  }

  #text(rule: SpecFieldRule, bit: number, table: SpecTable, draft: Draft): void {
    const { field, column, unknown } = rule;
    if (field === 'fuelType' && !tellsFuel(table, draft.displacementCc)) return;
    const values = table.columns[column];
    const rows = this.#rows;
    let known = 0;
    let first = 0;
    let isOne = true;
    for (let at = 0; at < rows.length; at++) {
      const word = values[rows.at(at)] as number;
      if (word === 0) continue;
      if (known++ === 0) first = word;
      else if (word !== first) isOne = false;
    }
    if (known === 0 || (unknown === 'blocks' && known < rows.length)) return;
    this.#found.decided |= bit;
    if (known * 2 < rows.length) return;
    const value = isOne ? this.tables.word(first) : sharedText(field, wordsIn(this.tables, values, rows));
    if (value !== '') this.#found.add(rule, value, table, rows.length);
  }
}

/** A vehicle that is joined with tables, one after the other. */
interface Joining {
  draft: Draft;
  family: Family;
  criteria: Criteria;
  coded: CodedWords;
}

/**
 * Returns true if a list can tell the engine of a vehicle from the others of its family. What one country was sold are
 * not all of these: a list without sizes would give the power of the V8 to a V6 that is not in it.
 */
function knowsEngine({ names }: SpecTable, { displacementCc, powerKw }: Draft, found: Findings): boolean {
  return powerKw !== 0 || found.of('powerKw') !== undefined || (displacementCc !== 0 && names.has('cc'));
}

function wordsIn(tables: SpecTables, values: Uint8Array | Uint16Array, rows: NumberList): ReadonlySet<string> {
  const words = new Set<string>();
  for (let at = 0; at < rows.length; at++) {
    const word = values[rows.at(at)] as number;
    if (word !== 0) words.add(tables.word(word));
  }
  return words;
}

/** Answers the meanings of the VIN's characters that no table decided. */
function answerCodes({ drive, gearbox }: CodedWords, found: Findings): void {
  const left = found.open & ~found.decided;
  if (drive !== '' && (left & DRIVE) !== 0) found.add(RULE_OF_DRIVE, drive, undefined, 1);
  if (gearbox !== '' && (left & GEARBOX) !== 0) found.add(RULE_OF_GEARBOX, gearbox, undefined, 1);
}

function fuelOf(draft: Draft, found: Findings): string {
  return draft.fuelType !== '' ? draft.fuelType : String(found.of('fuelType') ?? '');
}
