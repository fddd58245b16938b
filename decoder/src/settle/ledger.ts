import { DRAFT_FIELDS, type Draft, type DraftField, EMPTY, emptyDraft } from '../report/draft.ts';
import { mayOverrule, maySet, type Source, SOURCES } from './precedence.ts';

/**
 * The verdict on a claim: it holds the field, agrees with the holder, gave way to another, or did not count against the
 * holder.
 */
export const VERDICT = { holds: 1, agrees: 2, overruled: 3, outranked: 4 } as const;

export type Value = Draft[DraftField];

/** The number of each field of a draft. */
export const F = Object.fromEntries(DRAFT_FIELDS.map((name, number) => [name, number])) as Record<DraftField, number>;

/** One claim, for people: which source gave which value to a field, by which of its rows, and what came of it. */
export interface Claim {
  field: DraftField;
  value: Value;
  source: Source;
  /** The source's own number of the row, or of the reason. */
  row: number;
  verdict: number;
}

/**
 * All claims about one vehicle, and the values that they decide. Sources claim in the order of the table of precedence;
 * `claim` and `drop` apply that table and are the only methods that change a value. Reused from VIN to VIN.
 */
export class Ledger {
  /** The decided values. Read them, and claim to change them. */
  known: Draft = emptyDraft();
  count = 0;
  readonly #field: number[] = [];
  readonly #source: number[] = [];
  readonly #verdict: number[] = [];
  readonly #row: number[] = [];
  readonly #value: Value[] = [];
  /** The claim that holds each field; -1: none. */
  readonly #holder = new Int32Array(DRAFT_FIELDS.length).fill(-1);
  /** True if it began with values that no source claimed. */
  #hasBegun = false;

  /** Forgets all claims. `known`: values to begin with, which no source claimed. */
  clear(known?: Draft): void {
    this.known = known ?? emptyDraft();
    this.#hasBegun = known !== undefined;
    this.count = 0;
    this.#holder.fill(-1);
  }

  /**
   * Claims a value for a field, by the source's row. An empty value claims nothing; one that the source may not set
   * does not count.
   */
  claim(source: number, field: number, value: Value, row: number): void {
    if (isEmpty(value)) return;
    const held = this.#heldBy(field);
    if (!maySet(source, field)) this.#note(source, field, value, row, VERDICT.outranked);
    else if (isEmpty(held)) this.#take(source, field, value, row);
    else if (held === value || isSameList(held, value)) this.#note(source, field, value, row, VERDICT.agrees);
    else if (this.#mayReplace(source, field)) this.#take(source, field, value, row);
    else this.#note(source, field, value, row, VERDICT.outranked);
  }

  /** Claims that a field has no value that could be answered. */
  drop(source: number, field: number, row: number): void {
    if (isEmpty(this.#heldBy(field)) || !maySet(source, field) || !this.#mayReplace(source, field)) return;
    this.#take(source, field, EMPTY[DRAFT_FIELDS[field] as DraftField], row);
  }

  /** Drops all values but those that are also in other ones. */
  keepShared(others: Draft, source: number, row: number): void {
    for (let field = 0; field < DRAFT_FIELDS.length; field++) {
      const name = DRAFT_FIELDS[field] as DraftField;
      const value = this.known[name];
      if (value !== others[name] && !isSameList(value, others[name])) this.drop(source, field, row);
    }
  }

  /** Claims a value, or the absence of one if it is empty. */
  put(source: number, field: number, value: Value, row: number): void {
    if (isEmpty(value)) this.drop(source, field, row);
    else this.claim(source, field, value, row);
  }

  /** Returns the bits of those fields that have no value. */
  openAmong(fields: readonly { number: number; bit: number }[]): number {
    let open = 0;
    for (let at = 0; at < fields.length; at++) {
      const { number, bit } = fields[at] as { number: number; bit: number };
      if (isEmpty(this.#heldBy(number))) open |= bit;
    }
    return open;
  }

  /** Returns the source of a field's value; undefined if no source claimed it. */
  sourceOf(field: number): Source | undefined {
    const holder = this.#holder[field] as number;
    return holder < 0 ? undefined : SOURCES[this.#source[holder] as number];
  }

  /** Returns the claims on a field, its holder first, then the others in their order. */
  claimsOn(field: number): Claim[] {
    const found: Claim[] = [];
    for (let at = 0; at < this.count; at++) {
      if (this.#field[at] !== field) continue;
      const claim = this.#claimAt(at);
      if (at === this.#holder[field]) found.unshift(claim);
      else found.push(claim);
    }
    return found;
  }

  /** Returns the value of a field. To read `known` by a computed name takes V8 several times as long. */
  #heldBy(field: number): Value {
    const holder = this.#holder[field] as number;
    if (holder >= 0) return this.#value[holder] as Value;
    return this.#hasBegun ? this.known[DRAFT_FIELDS[field] as DraftField] : '';
  }

  #claimAt(at: number): Claim {
    return {
      field: DRAFT_FIELDS[this.#field[at] as number] as DraftField,
      value: this.#value[at] as Value,
      source: SOURCES[this.#source[at] as number] as Source,
      row: this.#row[at] as number,
      verdict: this.#verdict[at] as number,
    };
  }

  /**
   * Returns true if a source may replace the holder. A value that the ledger began with has no claim, and gives way to
   * any.
   */
  #mayReplace(source: number, field: number): boolean {
    const holder = this.#holder[field] as number;
    return holder < 0 || mayOverrule(source, this.#source[holder] as number);
  }

  #take(source: number, field: number, value: Value, row: number): void {
    const holder = this.#holder[field] as number;
    if (holder >= 0) this.#verdict[holder] = VERDICT.overruled;
    this.#holder[field] = this.count;
    this.#note(source, field, value, row, VERDICT.holds);
    (this.known as Record<DraftField, Value>)[DRAFT_FIELDS[field] as DraftField] = value;
  }

  #note(source: number, field: number, value: Value, row: number, verdict: number): void {
    const at = this.count;
    this.count = at + 1;
    this.#field[at] = field;
    this.#source[at] = source;
    this.#verdict[at] = verdict;
    this.#row[at] = row;
    this.#value[at] = value;
  }
}

/** Returns true if a value is empty: an empty text or list, zero, "unknown", false. */
export function isEmpty(value: Value): boolean {
  if (typeof value === 'string') return value === '' || value === 'unknown';
  return typeof value === 'object' ? value.length === 0 : !value;
}

function isSameList(held: Value, value: Value): boolean {
  if (typeof held !== 'object' || typeof value !== 'object' || held.length !== value.length) return false;
  return held.every((item, at) => item === value[at]);
}
