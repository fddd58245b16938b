import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { charged, freePort, instance, type Instance, marque, newKey, residentMib } from './fleet.ts';
import { Person } from './person.ts';

/** Requests a second of each kind, on one instance. */
const RATES = {
  keyed: 40,
  public: 10,
  free: 10,
  check: 10,
  batch: 0.5,
  report: 0.2,
  pages: 0.5,
  keys: 0.1,
  files: 1 / 60,
};
/** Requests of one kind under way at once; beyond, none is sent, and that is counted. */
const MOST_UNDER_WAY = 500;
type Kind = keyof typeof RATES;
const KINDS = [
  'keyed',
  'public',
  'free',
  'check',
  'batch',
  'report',
  'pages',
  'keys',
  'files',
] as const satisfies Kind[];

const BATCH = 50;
const FILE_ROWS = 500;
const WORKSPACE = 'soak';

/** VINs of several makers; the serial number is drawn anew for each. */
const STEMS = ['1HGCM82633A', 'WVWZZZ1KZ8W', 'JTDBU4EE9B9', 'WBA3A5C57CF', '1FTFW1ET5DF', 'KMHDU46D18U'];

const vin = (): string =>
  `${STEMS[Math.floor(Math.random() * STEMS.length)]}${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`;

/** Addresses of many callers without a key. */
const client = (): string => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** One minute of a soak. */
interface Minute {
  decodes: number;
  p99Ms: number;
  residentMib: number;
  heapMib: number;
}

/** A mixed load on one instance for a long time. */
export class Soak {
  readonly #name: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #print: (line: string) => void;
  readonly #statuses = new Map<string, number>();
  readonly #minutes: Minute[] = [];
  #took: number[] = [];
  #delivered = 0;
  #stopped = false;

  constructor(name: string, env: NodeJS.ProcessEnv, print: (line: string) => void) {
    this.#name = name;
    this.#env = env;
    this.#print = print;
  }

  async run(minutes: number): Promise<void> {
    const metricsPort = await freePort();
    const env = { ...this.#env, LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort), TRUST_PROXY: 'loopback' };
    const one = await instance(env);
    const keys = { paid: await newKey(env, 'paid', 'business'), free: await newKey(env, 'free', 'free') };
    await one.start();
    const person = await Person.signUp(one, WORKSPACE);
    await marque(env, 'workspace', 'set-plan', WORKSPACE, '--plan', 'enterprise');
    const acts = this.#acts(one, person, keys);
    const doing = KINDS.map(async (kind) => this.#repeat(kind, acts[kind]));
    for (let minute = 0; minute < minutes; minute++) {
      await sleep(60_000);
      this.#note(one.pid, await heapMib(metricsPort));
    }
    this.#stopped = true;
    await Promise.all(doing);
    await this.#untilFilesAreDone(person);
    await one.end('SIGTERM');
    await this.#judge();
  }

  /** Returns the acts of each kind, which resolve to the decodes that they delivered. */
  #acts(one: Instance, person: Person, keys: { paid: string; free: string }): Record<Kind, () => Promise<number>> {
    const single = async (headers: Record<string, string>): Promise<number> =>
      (await this.#post(one, '/api/decode', headers, { vin: vin() })) === '200' ? 1 : 0;
    return {
      keyed: async () => single({ 'x-api-key': keys.paid }),
      free: async () => single({ 'x-api-key': keys.free }),
      public: async () => single({ 'x-forwarded-for': client() }),
      check: async () => {
        this.#count('check', String((await fetch(`${one.origin}/api/vin/${vin()}`)).status));
        return 0;
      },
      batch: async () => {
        const vins = Array.from({ length: BATCH }, vin);
        return (await this.#post(one, '/api/decode/batch', { 'x-api-key': keys.paid }, { vins })) === '200' ? BATCH : 0;
      },
      report: async () => {
        await this.#post(one, '/api/report-decode-issue', { 'x-api-key': keys.paid }, reportOf(vin()));
        return 0;
      },
      pages: async () => {
        for (const path of ['/', '/docs', ...['', 'keys', 'reports', 'files'].map((tab) => person.path(tab))]) {
          this.#count(`page ${path}`, await person.get(path));
        }
        return 0;
      },
      keys: async () => {
        this.#count('key made and revoked', await person.makeAndRevokeKey());
        return 0;
      },
      files: async () => {
        this.#count('file', await person.sendFile(Array.from({ length: FILE_ROWS }, vin)));
        return FILE_ROWS;
      },
    };
  }

  async #repeat(kind: Kind, act: () => Promise<number>): Promise<void> {
    const under = new Set<Promise<void>>();
    const beganMs = performance.now();
    for (let done = 0; ; done++) {
      const dueMs = beganMs + (done * 1_000) / RATES[kind];
      while (!this.#stopped && performance.now() < dueMs)
        await sleep(Math.max(0, Math.min(1_000, dueMs - performance.now())));
      if (this.#stopped) break;
      if (under.size >= MOST_UNDER_WAY) {
        this.#count(kind, 'not sent: too many under way');
        continue;
      }
      const one = this.#once(kind, act).finally(() => under.delete(one));
      under.add(one);
    }
    await Promise.all(under);
  }

  async #once(kind: Kind, act: () => Promise<number>): Promise<void> {
    const sentMs = performance.now();
    try {
      const delivered = await act();
      this.#delivered += delivered;
      if (kind === 'keyed') this.#took.push(performance.now() - sentMs);
    } catch (error) {
      this.#count(kind, String(error));
    }
  }

  async #post(one: Instance, path: string, headers: Record<string, string>, body: unknown): Promise<string> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const answer = await fetch(`${one.origin}${path}`, { ...init, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    this.#count(path, String(answer.status));
    return String(answer.status);
  }

  #count(what: string, status: string): void {
    const name = `${what} ${status}`;
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
  }

  #note(pid: number, heap: number): void {
    const took = this.#took.toSorted((a, b) => a - b);
    this.#took = [];
    const p99Ms = Math.round(took[Math.floor(took.length * 0.99)] ?? NaN);
    const minute = { decodes: this.#delivered, p99Ms, residentMib: residentMib(pid), heapMib: heap };
    this.#minutes.push(minute);
    const at = `${this.#name} minute ${this.#minutes.length}`;
    this.#print(`${at}: ${JSON.stringify(minute)}, load of the machine ${loadavg()[0]?.toFixed(1)}`);
  }

  async #untilFilesAreDone(person: Person): Promise<void> {
    while (await person.hasFilesUnderWay()) await sleep(500);
  }

  async #judge(): Promise<void> {
    const decodes = await charged(this.#env);
    const third = Math.ceil(this.#minutes.length / 3);
    for (const field of ['residentMib', 'heapMib', 'p99Ms'] as const) {
      const values = this.#minutes.map((minute) => minute[field]);
      const [first, last] = [mean(values.slice(0, third)), mean(values.slice(-third))];
      const most = Math.max(...values);
      this.#print(`${this.#name} ${field}: first third ${first}, last third ${last}, most ${most}`);
    }
    this.#print(`${this.#name} answers: ${JSON.stringify(Object.fromEntries(this.#statuses))}`);
    const verdict = decodes === this.#delivered ? 'exact' : 'WRONG';
    this.#print(
      `${this.#name} ${this.#minutes.length} minutes, delivered ${this.#delivered}, charged ${decodes}: ${verdict}`,
    );
  }
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function reportOf(wrong: string): Record<string, string> {
  return {
    vin: wrong,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord',
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
    note: 'The registration says so.',
  };
}

async function heapMib(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined))?.text();
  return Math.round(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text ?? '')?.[1]) / 2 ** 20);
}
