/** The reason for skipping records, their number, and the place of the first of them. */
export interface Refusal {
  reason: string;
  records: number;
  /** Lines of the first few; with the file before them where there are several. */
  lines: string[];
}

const LINES_TOLD = 3;

/** Gathers refusals by their reasons. */
export class Refusals {
  readonly #found = new Map<string, Refusal>();

  /** @param before what an import that goes on had refused already. */
  constructor(before: readonly Refusal[] = []) {
    for (const refusal of before) this.#found.set(refusal.reason, { ...refusal, lines: [...refusal.lines] });
  }

  add(reason: string, line: string): void {
    const known = this.#found.get(reason) ?? { reason, records: 0, lines: [] };
    this.#found.set(reason, known);
    known.records++;
    if (known.lines.length < LINES_TOLD) known.lines.push(line);
  }

  /** Returns the refusals, the commonest first. */
  list(): Refusal[] {
    return [...this.#found.values()].toSorted((a, b) => b.records - a.records || (a.reason < b.reason ? -1 : 1));
  }
}
