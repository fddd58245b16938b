/** Work in steps of a few milliseconds, for who has other work: what it yields says nothing. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps at once. */
export function endOf<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Characters of cells that a step looks at. */
const STEP = 4_096;

/** Counts what has been looked at, and tells where a step ends. */
export class StepLength {
  #characters = 0;

  /** Adds a cell. @returns true if a step has come to its end. */
  add(cell: string): boolean {
    this.#characters += cell.length + 1;
    if (this.#characters < STEP) return false;
    this.#characters = 0;
    return true;
  }
}
