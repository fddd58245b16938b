/** Work that no request waits for, but that finishes before the service stops. */
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

  /** Waits for running work. */
  async close(): Promise<void> {
    // Running work may start more.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
