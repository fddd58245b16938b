import type { Clock } from '../clock.ts';

/** What a claim got, and when another one may get more: infinity, when somebody asks. */
export interface Claimed<Job> {
  jobs: Job[];
  notBeforeMs: number;
}

/** Work that instances share. */
export interface ClaimLoopOptions<Job> {
  /** Jobs under way at once. */
  concurrent: number;
  /** How often to look for work that another instance left. */
  pollMs: number;
  clock: Clock;
  /** Claims at most `room` jobs, so that nobody else has them meanwhile. */
  claim: (room: number) => Promise<Claimed<Job>>;
  /** Does a job. Never rejects: a job whose end cannot be stored is claimed again when its claim runs out. */
  work: (job: Job) => Promise<void>;
  /** Hears why nothing could be claimed. */
  failed: (error: unknown) => void;
}

/** Claims work and does it, as long as it is started. */
export class ClaimLoop<Job> {
  readonly #options: ClaimLoopOptions<Job>;
  readonly #underWay = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  #closed = false;
  #wake: () => void = () => {};
  #awake = false;

  constructor(options: ClaimLoopOptions<Job>) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** There may be work: looks at once. */
  wake(): void {
    this.#awake = true;
    this.#wake();
  }

  /** Takes no more, and waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.wake();
    await this.#loop;
    await Promise.all(this.#underWay);
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#awake = false;
      const waitMs = await this.#claim();
      await this.#pause(waitMs);
    }
  }

  /** Begins what can begin. Gives the time until more may. */
  async #claim(): Promise<number> {
    const { concurrent, pollMs, clock, claim, failed } = this.#options;
    const room = concurrent - this.#underWay.size;
    if (room <= 0) return pollMs;
    try {
      const { jobs, notBeforeMs } = await claim(room);
      for (const job of jobs) this.#begin(job);
      return Math.min(Math.max(notBeforeMs - clock(), 0), pollMs);
    } catch (error) {
      failed(error);
      return pollMs;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#awake) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(job: Job): void {
    const task = this.#options.work(job).finally(() => {
      this.#underWay.delete(task);
      this.wake();
    });
    this.#underWay.add(task);
  }
}
