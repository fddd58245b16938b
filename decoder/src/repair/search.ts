import { VIN_CHARACTERS } from '../vin/characters.ts';
import { hasValidCheckDigit, requiresCheckDigit } from '../vin/check-digit.ts';
import { COST, meantBy, type MistakeKind, mistakeOf } from './mistakes.ts';

/** A suggestion's change of the text; blanks, hyphens and dots are left out. */
export interface Change {
  /** The position, from 1. */
  position: number;
  /** The text there: one character, two swapped ones, or none where one is missing. */
  from: string;
  /** The right character; empty if one is to be removed. */
  to: string;
  kind: MistakeKind;
}

/** A VIN that may have been meant, and the cost of the mistakes that would have made the text of it. */
export interface Repair {
  vin: string;
  edits: readonly Edit[];
  cost: number;
}

/** One change of the text. */
interface Edit {
  at: number;
  length: number;
  to: string;
  kind: MistakeKind;
  cost: number;
}

/** Two mistakes that both are less likely than this are not looked for: there are 150,000 such pairs. */
const DEAREST_PAIR = 52;
const UNKNOWN = '?';
const VIN_LENGTH = 17;

/** A text of 16 to 18 characters, ready to be searched. */
export class Mistyped {
  readonly #written: readonly string[];
  /** The text, with the meaning of illegal characters; `?` if it may be any. */
  readonly #base: string;
  readonly #unknown: readonly number[];
  /** The number of illegal characters that the base replaces. */
  readonly #replaced: number;

  constructor(written: readonly string[]) {
    this.#written = written;
    const base = written.map((character) =>
      VIN_CHARACTERS.includes(character) ? character : (meantBy(character) ?? UNKNOWN),
    );
    this.#base = base.join('');
    this.#unknown = base.flatMap((character, index) => (character === UNKNOWN ? [index] : []));
    this.#replaced = base.filter((character, index) => character !== written[index]).length - this.#unknown.length;
  }

  /** Returns the text itself if all its characters are legal. */
  get asWritten(): string | undefined {
    return this.#written.length === VIN_LENGTH && this.#written.join('') === this.#base && this.#unknown.length === 0
      ? this.#base
      : undefined;
  }

  /** Returns the VINs that undo one mistake, and the one whose illegal characters are only replaced; cheapest first. */
  single(): Repair[] {
    const found = new Repairs();
    if (this.#written.length !== VIN_LENGTH) {
      if (this.#unknown.length > 0) return [];
      for (const edit of this.#written.length < VIN_LENGTH ? this.#insertions() : this.#deletions()) {
        // A missing start is recognized by the rest, whatever its check digit.
        found.add(this.#apply([edit]), edit.at === 0 && edit.length === 0 ? () => true : mayBe);
      }
      return found.cheapestFirst();
    }
    if (this.#unknown.length === 0 && this.asWritten === undefined) found.add(this.#apply([]), () => true);
    for (const edit of this.#edits()) if (this.#mends([edit])) found.add(this.#apply([edit]), mayBe);
    return found.cheapestFirst();
  }

  /**
   * Returns the VINs that undo two mistakes, at least one of them a likely one; cheapest first. Yields between steps.
   */
  *double(): Generator<undefined, Repair[], undefined> {
    if (this.#written.length !== VIN_LENGTH || this.#unknown.length > 2) return [];
    const found = new Repairs();
    const edits = this.#edits().toSorted((a, b) => a.cost - b.cost);
    const dearest = this.#unknown.length === 2 ? 2 * COST.otherCharacter : DEAREST_PAIR;
    for (const [index, first] of edits.entries()) {
      yield;
      for (let other = index + 1; other < edits.length; other++) {
        const second = edits[other];
        // Edits are sorted: all that follow cost as much or more.
        if (second === undefined || first.cost + second.cost > dearest) break;
        if (first.at < second.at + second.length && second.at < first.at + first.length) continue;
        if (this.#mends([first, second])) found.add(this.#apply([first, second]), hasValidCheckDigit);
      }
    }
    return found.cheapestFirst();
  }

  /** Returns true if these edits replace every unknown character. */
  #mends(edits: readonly Edit[]): boolean {
    return this.#unknown.every((index) => edits.some((edit) => edit.length === 1 && edit.at === index));
  }

  /** Returns every single change that leaves 17 characters. */
  #edits(): Edit[] {
    const edits: Edit[] = [];
    for (let at = 0; at < VIN_LENGTH; at++) {
      const written = this.#written[at] ?? '';
      for (const meant of VIN_CHARACTERS) {
        if (meant !== this.#base.charAt(at)) edits.push({ at, length: 1, to: meant, ...mistakeOf(written, meant) });
      }
      const next = this.#written[at + 1];
      if (next === undefined || next === written) continue;
      const both = this.#base.slice(at, at + 2);
      if (both !== written + next) continue;
      edits.push({ at, length: 2, to: next + written, kind: 'transposition', cost: COST.transposition });
    }
    return edits;
  }

  #insertions(): Edit[] {
    const edits: Edit[] = [];
    for (let at = 0; at <= this.#base.length; at++) {
      for (const to of VIN_CHARACTERS) {
        // Beside its double only the place after it: the text comes out the same.
        if (to === this.#base.charAt(at)) continue;
        const cost = to === this.#base.charAt(at - 1) ? COST.missingDouble : COST.missingCharacter;
        edits.push({ at, length: 0, to, kind: 'missing-character', cost });
      }
    }
    return edits;
  }

  #deletions(): Edit[] {
    const edits: Edit[] = [];
    for (let at = 0; at < this.#base.length; at++) {
      const doubled = at > 0 && this.#base.charAt(at) === this.#base.charAt(at - 1);
      const cost = doubled ? COST.extraDouble : COST.extraCharacter;
      edits.push({ at, length: 1, to: '', kind: 'extra-character', cost });
    }
    return edits;
  }

  /** Returns a repair's changes of the text, in the order of positions. */
  changesOf({ edits }: Repair): Change[] {
    const changes = this.#replacements(edits).concat(edits.map((edit) => this.#change(edit)));
    return changes.toSorted((a, b) => a.position - b.position);
  }

  #apply(edits: readonly Edit[]): Repair {
    let vin = this.#base;
    let cost = this.#replaced * COST.neverInVin;
    // Edits come in no order, but all that change the length come alone.
    for (const edit of edits) {
      vin = vin.slice(0, edit.at) + edit.to + vin.slice(edit.at + edit.length);
      cost += edit.cost;
    }
    return { vin, edits, cost };
  }

  #change({ at, length, to, kind }: Edit): Change {
    return { position: at + 1, from: this.#written.slice(at, at + length).join(''), to, kind };
  }

  /** Returns the illegal characters that the base replaced and no edit touches. */
  #replacements(edits: readonly Edit[]): Change[] {
    return this.#written.flatMap((from, at) => {
      const to = this.#base.charAt(at);
      if (from === to || edits.some((edit) => edit.at <= at && at < edit.at + edit.length)) return [];
      return [{ position: at + 1, from, to, kind: 'look-alike' as const }];
    });
  }
}

/** Returns true if a repair is worth scoring: if check digits are prescribed, nearly every VIN has the right one. */
function mayBe(vin: string): boolean {
  return hasValidCheckDigit(vin) || !requiresCheckDigit(vin);
}

/** Repairs by VIN; of two ways to one VIN the cheaper stays. */
class Repairs {
  readonly #byVin = new Map<string, Repair>();

  add(repair: Repair, passes: (vin: string) => boolean): void {
    if (!passes(repair.vin)) return;
    const held = this.#byVin.get(repair.vin);
    if (held === undefined || repair.cost < held.cost) this.#byVin.set(repair.vin, repair);
  }

  cheapestFirst(): Repair[] {
    return [...this.#byVin.values()].toSorted((a, b) => a.cost - b.cost || (a.vin < b.vin ? -1 : 1));
  }
}
