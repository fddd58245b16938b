/** Something in the facts that a person has to mend: where it is, and what to change. */
export interface Problem {
  /** "volkswagen/models.csv:12", relative to the facts folder. */
  where: string;
  what: string;
}

/** Thrown when facts cannot be read: every problem, one a line, so that one run shows them all. */
export class FactsError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ where, what }) => `${where}: ${what}`).join('\n'));
    this.name = 'FactsError';
    this.problems = problems;
  }
}
