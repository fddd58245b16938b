/** Work that no request waits for, but which is finished before the service ends. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed called with the error. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  run(work: Promise<void>): void {
    const done = work.catch(this.#failed).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    // What is under way may begin more.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
