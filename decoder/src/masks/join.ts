import type { Draft } from '../decode/draft.ts';
import { BODY_STYLES } from '../decode/report.ts';
import { sharedDrive, sharedGearbox, type Tolerance, Values } from '../specs/agree.ts';
import { couldBeBody, couldBeDrive, couldBeFuel, DISPLACEMENT_SLACK_CC, POWER_SLACK } from '../specs/candidates.ts';
import { driveOf } from '../specs/wanted.ts';
import type { MaskNumber } from './columns.ts';
import type { MaskTables } from './tables.ts';

/** One value that masks settle, with where it is from. */
export interface MaskAnswer {
  /** The field's path in the report. */
  field: string;
  value: string | number;
  /** Titles of the sources. */
  source: string;
  /** The mask that fixes most. */
  mask: string;
  /** How many of the types that the VIN may be of there are: all agree. */
  types: number;
}

const NONE: readonly MaskAnswer[] = [];

/** The places of the bodies that a vehicle may have: the first two of the list are none. */
const STYLES = BODY_STYLES.map((_, place) => place).filter((place) => place > 1);

/** A mask that fixes fewer positions, the maker's three among them, may take in models that its source does not list. */
const LEAST_TO_IDENTIFY = 6;

const share = (share: number): Tolerance => ({ kind: 'share', share });
const distance = (distance: number): Tolerance => ({ kind: 'distance', distance });

const NUMBERS = [
  { field: 'displacementCc', path: 'specs.displacementCc', column: 'cc', tolerance: distance(DISPLACEMENT_SLACK_CC) },
  { field: 'cylinders', path: 'specs.engine', column: 'cylinders', tolerance: distance(0) },
  { field: 'powerKw', path: 'specs.powerKw', column: 'powerKw', tolerance: share(0.05) },
  { field: 'lengthMm', path: 'technicalSpecs.lengthMm', column: 'lengthMm', tolerance: distance(75) },
  { field: 'widthMm', path: 'technicalSpecs.widthMm', column: 'widthMm', tolerance: distance(75) },
  { field: 'heightMm', path: 'technicalSpecs.heightMm', column: 'heightMm', tolerance: distance(75) },
  { field: 'wheelbaseMm', path: 'technicalSpecs.wheelbaseMm', column: 'wheelbaseMm', tolerance: distance(75) },
  { field: 'curbWeightKg', path: 'technicalSpecs.curbWeightKg', column: 'curbKg', tolerance: share(0.05) },
  { field: 'grossWeightKg', path: 'technicalSpecs.grossWeightKg', column: 'grossKg', tolerance: share(0.05) },
] as const satisfies readonly { field: keyof Draft; path: string; column: MaskNumber; tolerance: Tolerance }[];

const only = (words: ReadonlySet<string>): string => (words.size === 1 ? ([...words][0] ?? '') : '');

const TEXTS = [
  { field: 'fuelType', path: 'specs.fuelType', column: 'fuel', shared: only },
  { field: 'driveType', path: 'specs.driveType', column: 'drive', shared: sharedDrive },
  { field: 'transmission', path: 'specs.transmission', column: 'gearbox', shared: sharedGearbox },
] as const;

/**
 * Fills what a reading leaves open from type approvals and registers that go by masks over the VIN. A value is written only
 * when all types that the VIN may be of say it and agree; what the reading settled stands, and rules out the types that
 * contradict it.
 */
export class MaskJoin {
  readonly #tables: MaskTables;
  readonly #bodyLabel: (body: number) => string;
  readonly #values = new Values();
  readonly #masks: number[] = [];

  constructor(tables: MaskTables, bodyLabel: (body: number) => string) {
    this.#tables = tables;
    this.#bodyLabel = bodyLabel;
  }

  /** Writes into the draft; gives what was written. `codes`: the VIN's characters as numbers. */
  fill(draft: Draft, codes: Uint8Array): readonly MaskAnswer[] {
    if (this.#tables.isEmpty) return NONE;
    this.#tables.find(codes, this.#masks);
    if (this.#masks.length === 0) return NONE;
    // The most specific first: it tells the model, and it is the one to show.
    this.#masks.sort((a, b) => this.#tables.fixed(b) - this.#tables.fixed(a));
    const answers: MaskAnswer[] = [];
    if (draft.model === '' && !this.#identify(draft, answers)) return NONE;
    const rows = this.#rows(this.#masks).filter((row) => this.#couldBe(row, draft));
    if (rows.length === 0) return answers;
    this.#fillBody(draft, answers, rows);
    for (const { field, path, column, shared } of TEXTS) {
      if (draft[field] !== '') continue;
      const value = shared(new Set(rows.map((row) => this.#tables.word(this.#tables[column][row] as number))));
      if (value !== '' && rows.every((row) => this.#tables[column][row] !== 0)) {
        draft[field] = value;
        answers.push(this.#answer(path, value, rows));
      }
    }
    for (const { field, path, column, tolerance } of NUMBERS) {
      if (draft[field] !== 0) continue;
      const value = this.#agreed(rows, this.#tables.numbers[column], tolerance);
      if (value === 0) continue;
      draft[field] = value;
      answers.push(this.#answer(path, value, rows));
    }
    return answers;
  }

  #rows(masks: readonly number[]): number[] {
    const rows: number[] = [];
    for (const mask of masks) {
      const end = this.#tables.start[mask + 1] as number;
      for (let row = this.#tables.start[mask] as number; row < end; row++) rows.push(row);
    }
    return rows;
  }

  /** Make and model of a vehicle that no reading knows: what all types of the most specific mask say. */
  #identify(draft: Draft, answers: MaskAnswer[]): boolean {
    const { make, model } = this.#tables;
    const [mask] = this.#masks;
    if (mask === undefined || this.#tables.fixed(mask) < LEAST_TO_IDENTIFY) return false;
    const rows = this.#rows([mask]);
    const [first] = rows;
    if (first === undefined) return false;
    if (!rows.every((row) => make[row] === make[first] && model[row] === model[first])) return false;
    draft.make = this.#tables.word(make[first] as number);
    draft.model = this.#tables.word(model[first] as number);
    answers.push(this.#answer('manufacturer', draft.make, rows), this.#answer('model', draft.model, rows));
    return true;
  }

  #couldBe(row: number, draft: Draft): boolean {
    const { make, model, fuel, drive, gearbox, numbers } = this.#tables;
    const word = (column: Uint32Array): string => this.#tables.word(column[row] as number);
    if (word(model) !== draft.model || word(make) !== draft.make) return false;
    if (!couldBeFuel(word(fuel), draft.fuelType) || !couldBeDrive(word(drive), driveOf(draft.driveType))) return false;
    const box = word(gearbox);
    if (box !== '' && draft.transmission !== '' && isManual(box) !== isManual(draft.transmission)) return false;
    if (this.#bodiesOf(row, draft).length === 0) return false;
    return (
      near(numbers.cc[row] as number, draft.displacementCc, DISPLACEMENT_SLACK_CC) &&
      near(numbers.cylinders[row] as number, draft.cylinders, 0) &&
      near(numbers.powerKw[row] as number, draft.powerKw, draft.powerKw * POWER_SLACK)
    );
  }

  /** The bodies that a type may have, of those that the reading leaves open. */
  #bodiesOf(row: number, draft: Draft): number[] {
    const bits = this.#tables.bodies[row] as number;
    return STYLES.filter((body) => {
      if (bits !== 0 && (bits & (1 << body)) === 0) return false;
      if (draft.body === 'other') return true;
      if (draft.body !== 'unknown') return couldBeBody(BODY_STYLES[body] ?? '', draft.body);
      return draft.possibleBodies.length === 0 || draft.possibleBodies.includes(this.#bodyLabel(body));
    });
  }

  /** The body where only one is left, and else fewer possible ones where the reading names some. */
  #fillBody(draft: Draft, answers: MaskAnswer[], rows: readonly number[]): void {
    if (draft.body !== 'unknown') return;
    const left = [...new Set(rows.flatMap((row) => this.#bodiesOf(row, draft)))];
    const labels = new Set(left.map((body) => this.#bodyLabel(body)));
    const [only] = left;
    if (only !== undefined && left.length === 1) {
      draft.body = BODY_STYLES[only] ?? 'unknown';
      draft.bodyLabel = this.#bodyLabel(only);
      draft.possibleBodies = [];
      answers.push(this.#answer('bodyStyle', draft.bodyLabel, rows));
    } else draft.possibleBodies = draft.possibleBodies.filter((label) => labels.has(label));
  }

  #agreed(rows: readonly number[], column: Uint16Array, tolerance: Tolerance): number {
    this.#values.clear();
    for (const row of rows) {
      if (column[row] === 0) return 0;
      this.#values.add(column[row] as number);
    }
    return this.#values.agreed(tolerance);
  }

  #answer(field: string, value: string | number, rows: readonly number[]): MaskAnswer {
    const sources = [...new Set(rows.map((row) => this.#tables.title(row)))].join(', ');
    return { field, value, source: sources, mask: this.#tables.text(this.#masks[0] as number), types: rows.length };
  }
}

function isManual(gearbox: string): boolean {
  return gearbox.startsWith('Manual');
}

function near(value: number, wanted: number, slack: number): boolean {
  return value === 0 || wanted === 0 || Math.abs(value - wanted) <= slack;
}
