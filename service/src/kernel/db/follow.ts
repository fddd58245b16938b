import type { Database, Topic } from './open.ts';

/** The interval of reading the version, in milliseconds: within the promised two seconds. */
const ASK_MS = 500;

/**
 * Keeps a copy of database rows up to date: on the instance that changes them at once, on others within two seconds.
 */
export abstract class Follower {
  protected readonly database: Database;
  readonly #topic: Topic;
  protected readonly onFault: (error: unknown) => void;
  #version: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;

  /** @param onFault called when a read failed; the next one follows half a second later. */
  protected constructor(database: Database, topic: Topic, onFault: (error: unknown) => void = () => {}) {
    this.database = database;
    this.#topic = topic;
    this.onFault = onFault;
  }

  /** Brings the copy up to date. */
  protected abstract read(): Promise<void>;

  /** Reads once, then whenever the topic has changed, until it is closed. */
  protected async start(): Promise<this> {
    await this.refresh();
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look()
        .catch(this.onFault)
        .finally(() => {
          this.#looking = undefined;
        });
    }, ASK_MS).unref();
    return this;
  }

  /** Reads the changes since the last time. Calls that overlap share one reading, and then one more. */
  async refresh(): Promise<void> {
    const running = this.#refreshing;
    if (running !== undefined) await running.catch(this.onFault);
    this.#refreshing ??= this.read().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Stops following. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#refreshing?.catch(this.onFault);
  }

  async #look(): Promise<void> {
    const asked = this.database.changes.version(this.#topic);
    const version = typeof asked === 'number' ? asked : await asked;
    if (version === this.#version) return;
    await this.refresh();
    this.#version = version;
  }
}
