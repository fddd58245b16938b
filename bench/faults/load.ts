import type { Instance } from './fleet.ts';

const BODY = '{"vin":"1HGCM82633A004352"}';

/** The answers that clients got. */
export interface Seen {
  sent: number;
  /** Answers by status; `broken`: no answer. */
  statuses: Record<string, number>;
  /** The 99th percentile of answered decodes, milliseconds. */
  p99Ms: number;
  longestMs: number;
  /** The longest time that a client waited for a refusal, milliseconds. */
  longestRefusalMs: number;
  /** The longest time in which not one decode was answered, milliseconds. */
  gapMs: number;
}

/** Callers that ask without a pause, of the instances in rotation in turn, until stopped. */
export class Load {
  readonly rotation: Instance[];
  readonly #key: string;
  readonly #callers: Promise<void>[];
  readonly #took: number[] = [];
  readonly #statuses = new Map<string, number>();
  #sent = 0;
  #stopped = false;
  #lastAt = performance.now();
  #gapMs = 0;
  #longestRefusalMs = 0;

  constructor(rotation: readonly Instance[], key: string, callers = 24) {
    this.rotation = [...rotation];
    this.#key = key;
    this.#callers = Array.from({ length: callers }, async () => this.#call());
  }

  /** Decodes answered so far. */
  get served(): number {
    return this.#statuses.get('200') ?? 0;
  }

  /** The 99th percentile of the decodes answered since `forgetTimes`, milliseconds. */
  get p99Ms(): number {
    const took = this.#took.toSorted((a, b) => a - b);
    return Math.round(took[Math.floor(took.length * 0.99)] ?? 0);
  }

  /** Begins to measure anew. */
  forgetTimes(): void {
    this.#took.length = 0;
  }

  async stop(): Promise<Seen> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    return {
      sent: this.#sent,
      statuses: Object.fromEntries(this.#statuses),
      p99Ms: this.p99Ms,
      longestMs: Math.round(this.#took.reduce((most, took) => Math.max(most, took), 0)),
      longestRefusalMs: Math.round(this.#longestRefusalMs),
      gapMs: Math.round(this.#gapMs),
    };
  }

  async #call(): Promise<void> {
    while (!this.#stopped) {
      const instance = this.rotation[this.#sent % Math.max(1, this.rotation.length)];
      if (instance === undefined) break;
      this.#sent += 1;
      const began = performance.now();
      const status = await this.#ask(instance);
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      const now = performance.now();
      if (status === '200') {
        this.#took.push(now - began);
        this.#gapMs = Math.max(this.#gapMs, now - this.#lastAt);
        this.#lastAt = now;
      } else {
        this.#longestRefusalMs = Math.max(this.#longestRefusalMs, now - began);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async #ask({ origin }: Instance): Promise<string> {
    try {
      const headers = { 'content-type': 'application/json', 'x-api-key': this.#key };
      const answer = await fetch(`${origin}/api/decode`, { method: 'POST', headers, body: BODY });
      await answer.arrayBuffer();
      if (answer.status === 503 && answer.headers.get('retry-after') === null) return '503 without Retry-After';
      return String(answer.status);
    } catch {
      return 'broken';
    }
  }
}
