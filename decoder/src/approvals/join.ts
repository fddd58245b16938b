import type { Draft } from '../report/draft.ts';
import type { RowEvidence } from '../report/explanation.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { fixedPositions, parsePattern } from '../vin/pattern.ts';
import { SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { DISPLACEMENT_TOLERANCE_CC } from '../report/spec-fields.ts';
import { BODY_STYLES } from '../report/report.ts';
import { agreed, sharedText } from '../specs/agree.ts';
import { couldBeBody, couldBeDrive, couldBeFuel } from '../specs/fits.ts';
import { POWER_TOLERANCE } from '../specs/variants.ts';
import { driveOf } from '../specs/criteria.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { APPROVAL_NUMBERS, APPROVAL_TEXTS } from './columns.ts';
import { OPEN_FROM, OPEN_TO } from '../report/world-fields.ts';
import type { YearWindow } from '../world/years.ts';
import type { ApprovalTables } from './tables.ts';

/** Types of one mask that a row of evidence counts, at most. */
const MOST_TYPES = 2 ** 16;

/** The indexes of the bodies that a vehicle may have: the first two of the list are not bodies. */
const STYLES = BODY_STYLES.map((_, place) => place).filter((place) => place > 1);

/**
 * A mask that fixes fewer positions, the maker's three among them, may take in models that its source does not list.
 */
const LEAST_TO_IDENTIFY = 6;

const NO_MASKS: readonly number[] = [];

/**
 * Fills open fields from type approvals and registers, which are keyed by masks over the VIN. A value is written only
 * if all types that the VIN may be of have it and agree; values decoded before stay, and rule out the types that
 * contradict them.
 */
export class ApprovalJoin {
  readonly #tables: ApprovalTables;
  readonly #bodyLabel: (body: number) => string;
  readonly #blocks: boolean;
  readonly #source: number;

  /**
   * @param silence whether a row that does not say a field keeps it open: a type could be anything, a pattern's cars
   *   merely differ.
   */
  constructor(tables: ApprovalTables, bodyLabel: (body: number) => string, silence: 'blocks' | 'ignored' = 'blocks') {
    this.#tables = tables;
    this.#source = silence === 'blocks' ? SOURCE.approvals : SOURCE.registers;
    this.#blocks = silence === 'blocks';
    this.#bodyLabel = bodyLabel;
  }

  /** Returns the masks that a VIN matches, the most specific first: it gives the model, and it is the one to show. */
  find(codes: VinCodes): readonly number[] {
    if (this.#tables.isEmpty) return NO_MASKS;
    const masks = this.#tables.find(codes.codes);
    return masks.length < 2 ? masks : masks.toSorted((a, b) => this.#tables.fixed(b) - this.#tables.fixed(a));
  }

  /**
   * Returns the range of the VIN's model year that all masks allow; undefined if none gives one, or they contradict
   * each other.
   */
  years(masks: readonly number[], codes: VinCodes): YearWindow | undefined {
    const { yearFrom, yearTo, serialFrom, serialTo } = this.#tables.bounds;
    let [from, to] = [OPEN_FROM, OPEN_TO];
    for (const mask of masks) {
      const end = this.#tables.start[mask + 1] as number;
      for (let row = this.#tables.start[mask] as number; row < end; row++) {
        if (yearTo[row] === 0) continue;
        const last = serialTo[row] as number;
        if (last !== 0 && !codes.isSerialIn(serialFrom[row] as number, last)) continue;
        from = Math.max(from, yearFrom[row] as number);
        to = Math.min(to, yearTo[row] as number);
      }
    }
    return from === OPEN_FROM || from > to ? undefined : { from, to };
  }

  /** Claims the values that the types of the masks agree on. */
  fill(ledger: Ledger, masks: readonly number[]): void {
    const [first] = masks;
    if (first === undefined) return;
    const { known } = ledger;
    if (known.model === '' && !this.#identify(first, ledger) && this.#blocks) return;
    const rows = this.#rows(masks).filter((row) => this.#couldBe(row, known));
    if (rows.length === 0) return;
    const evidence = rowOf(first, rows.length);
    this.#fillBody(ledger, rows, evidence);
    for (const rule of SPEC_RULES) {
      const value = known[rule.field];
      if (value === '' || value === 0) ledger.claim(this.#source, F[rule.field], this.#shared(rule, rows), evidence);
    }
  }

  /** Returns the evidence of a claim by one of the masks. */
  describe(row: number, value: string): RowEvidence {
    const mask = Math.floor(row / MOST_TYPES);
    const types = row % MOST_TYPES;
    const pattern = this.#tables.text(mask);
    const sources = [...new Set(this.#rows([mask]).map((one) => this.#tables.title(one)))].join(', ');
    return {
      value,
      source: sources,
      row: `${pattern} · ${types === 1 ? 'the one type' : `all ${types} types`} that the VIN allows`,
      positions: fixedPositions(parsePattern(pattern)),
      confidence: 'B',
    };
  }

  /** Returns the value of a field that all types share; empty if one of them lacks it. */
  #shared({ field, column, tolerance }: SpecFieldRule, rows: readonly number[]): string | number {
    const { numbers } = this.#tables;
    const text = APPROVAL_TEXTS.find((name) => name === column);
    if (text !== undefined) {
      const texts = rows.map((row) => this.#tables.word(this.#tables[text][row] as number));
      if (this.#blocks && texts.includes('')) return '';
      return sharedText(field, new Set(texts.filter((said) => said !== '')));
    }
    const number = APPROVAL_NUMBERS.find((name) => name === column);
    if (number === undefined || tolerance === undefined) return 0;
    const values = rows.map((row) => numbers[number][row] as number);
    if (this.#blocks && values.includes(0)) return 0;
    return agreed(
      values.filter((value) => value > 0),
      tolerance,
    );
  }

  #rows(masks: readonly number[]): number[] {
    const rows: number[] = [];
    for (const mask of masks) {
      const end = this.#tables.start[mask + 1] as number;
      for (let row = this.#tables.start[mask] as number; row < end; row++) {
        // A range of serial numbers bounds the years, and gives nothing else.
        if ((this.#tables.bounds.serialTo[row] ?? 0) === 0) rows.push(row);
      }
    }
    return rows;
  }

  /** Claims make and model of a vehicle that no reading knows: what all types of the most specific mask say. */
  #identify(mask: number, ledger: Ledger): boolean {
    const { make, model } = this.#tables;
    if (this.#tables.fixed(mask) < LEAST_TO_IDENTIFY) return false;
    const rows = this.#rows([mask]);
    const [first] = rows;
    if (first === undefined || this.#tables.word(model[first] as number) === '') return false;
    if (!rows.every((row) => make[row] === make[first] && model[row] === model[first])) return false;
    const name = this.#tables.word(make[first] as number);
    // A register's clerks err about makes: the VIN's own counts.
    if (!this.#blocks && ledger.known.make !== '' && ledger.known.make !== name) return false;
    const evidence = rowOf(mask, rows.length);
    ledger.claim(this.#source, F.make, name, evidence);
    ledger.claim(this.#source, F.model, this.#tables.word(model[first] as number), evidence);
    return true;
  }

  #couldBe(row: number, draft: Draft): boolean {
    const { make, model, fuel, drive, gearbox, numbers } = this.#tables;
    const word = (column: Uint32Array): string => this.#tables.word(column[row] as number);
    // The cars of a pattern may agree on an engine and not on a name.
    if (word(model) !== '' && (word(model) !== draft.model || word(make) !== draft.make)) return false;
    if (!couldBeFuel(word(fuel), draft.fuelType) || !couldBeDrive(word(drive), driveOf(draft.driveType))) return false;
    const box = word(gearbox);
    if (box !== '' && draft.transmission !== '' && isManual(box) !== isManual(draft.transmission)) return false;
    if (this.#bodiesOf(row, draft).length === 0) return false;
    return (
      near(numbers.cc[row] as number, draft.displacementCc, DISPLACEMENT_TOLERANCE_CC) &&
      near(numbers.cylinders[row] as number, draft.cylinders, 0) &&
      near(numbers.powerKw[row] as number, draft.powerKw, draft.powerKw * POWER_TOLERANCE)
    );
  }

  /** Returns the bodies that a type may have, among those still open. */
  #bodiesOf(row: number, draft: Draft): number[] {
    const bits = this.#tables.bodies[row] as number;
    return STYLES.filter((body) => {
      if (bits !== 0 && (bits & (1 << body)) === 0) return false;
      if (draft.body === 'other') return true;
      if (draft.body !== 'unknown') return couldBeBody(BODY_STYLES[body] ?? '', draft.body);
      return draft.possibleBodies.length === 0 || draft.possibleBodies.includes(this.#bodyLabel(body));
    });
  }

  /** Claims the body where only one is left, and else fewer possible ones where the reading names some. */
  #fillBody(ledger: Ledger, rows: readonly number[], evidence: number): void {
    const { known } = ledger;
    if (known.body !== 'unknown') return;
    const left = [...new Set(rows.flatMap((row) => this.#bodiesOf(row, known)))];
    const [only] = left;
    if (only !== undefined && left.length === 1) {
      ledger.claim(this.#source, F.body, BODY_STYLES[only] ?? 'unknown', evidence);
      ledger.put(this.#source, F.bodyLabel, this.#bodyLabel(only), evidence);
      ledger.drop(this.#source, F.possibleBodies, evidence);
      return;
    }
    const labels = new Set(left.map((body) => this.#bodyLabel(body)));
    const narrowed = known.possibleBodies.filter((label) => labels.has(label));
    ledger.put(this.#source, F.possibleBodies, narrowed, evidence);
  }
}

/** Returns a mask and how many types there are as the row of a claim. */
function rowOf(mask: number, types: number): number {
  return mask * MOST_TYPES + Math.min(types, MOST_TYPES - 1);
}

function isManual(gearbox: string): boolean {
  return gearbox.startsWith('Manual');
}

function near(value: number, known: number, tolerance: number): boolean {
  return value === 0 || known === 0 || Math.abs(value - known) <= tolerance;
}
