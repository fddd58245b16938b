import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { charged, freePort, instance, newKey } from '../faults/fleet.ts';
import type { Findings, Stage } from './drill.ts';
import { Program, programOf, versionOf } from './programs.ts';
import { configure, makeCertificate, PROXIES, type Proxy } from './proxy-programs.ts';

const DECODES = 2_000;
const CALLERS = 24;
/** Longer than Marque keeps an idle connection. */
const PAUSE_MS = 76_000;
const DECODES_AFTER_PAUSE = 200;
const BODY = '{"vin":"1HGCM82633A004352"}';
/** Clients have another address than the proxy, which is trusted. */
const CLIENT = '127.0.0.2';
/** A file of VINs of the largest size. */
const FILE = `vin,note\n1HGCM82633A004352,${'x'.repeat(9_000)}\n`.concat(
  `WVWZZZ1KZAW000001,${'y'.repeat(9_000)}\n`.repeat(430),
);

/** Debian's proxies with the files of deploy/proxies before one instance. */
export async function proxies(stage: Stage): Promise<Findings> {
  const env = { DATA_DIR: join(stage.folder, 'data'), TRUST_PROXY: '127.0.0.1' };
  const one = await instance(env);
  stage.afterwards(async () => one.end('SIGKILL'));
  await one.start();
  const key = await newKey(env, 'drill', 'enterprise');
  makeCertificate(stage.folder);
  const fronts: Front[] = [];
  for (const proxy of PROXIES) fronts.push(await Front.start(proxy, Number(new URL(one.origin).port), stage));
  for (const front of fronts) {
    stage.say(`${front.name}: decodes, a file, forged addresses`);
    await front.decode(key, DECODES);
    await front.sendFile(key);
    await front.forge();
  }
  stage.say(`a pause of ${PAUSE_MS / 1_000} s`);
  await sleep(PAUSE_MS);
  for (const front of fronts) await front.decodeAfterPause(key);
  const delivered = fronts.reduce((sum, front) => sum + front.delivered, 0);
  const counted = await charged(env);
  if (counted !== delivered) throw new Error(`Delivered ${delivered}, charged ${counted}.`);
  stage.say(`delivered ${delivered}, charged ${counted}`);
  return {
    columns: ['proxy', 'decodes answered', 'file of 3.9 MB', 'forged address', 'answered after 76 s of silence'],
    rows: fronts.map(({ row }) => row),
    versions: fronts.map(({ version }) => version),
  };
}

/** A running proxy, and the outcomes of the requests through it. */
class Front {
  readonly name: string;
  readonly version: string;
  readonly row: string[];
  /** Decodes that were answered. */
  delivered = 0;
  readonly #port: number;
  readonly #isTls: boolean;

  private constructor({ name, isTls }: Proxy, port: number, version: string) {
    this.name = name;
    this.version = version;
    this.row = [name];
    this.#port = port;
    this.#isTls = isTls;
  }

  static async start(proxy: Proxy, target: number, stage: Stage): Promise<Front> {
    const program = programOf(proxy.program, proxy.debianPackage);
    const place = { folder: stage.folder, port: await freePort(), target };
    const env = { HOME: stage.folder, XDG_DATA_HOME: stage.folder };
    const running = await Program.start(proxy.command(program, configure(proxy, place), place), place.port, { env });
    stage.afterwards(async () => running.stop());
    const version = versionOf(program, proxy.versionFlag);
    return new Front(proxy, place.port, version.startsWith('2.') ? `Caddy ${version}` : shortened(version));
  }

  async decode(key: string, count: number): Promise<void> {
    this.row.push(await this.#decode(key, count));
  }

  /** New clients: it is the proxy's connections to Marque that were silent. */
  async decodeAfterPause(key: string): Promise<void> {
    this.row.push(await this.#decode(key, DECODES_AFTER_PAUSE));
  }

  async sendFile(key: string): Promise<void> {
    const { status } = await this.#post('/api/jobs?column=nothing', FILE, {
      'x-api-key': key,
      'content-type': 'text/csv',
    });
    // The column is not there: Marque read all of it, and decodes nothing.
    if (status !== 400) throw new Error(`${this.name} answered ${status} to a file.`);
    this.row.push('read by Marque');
  }

  /** Two visitors who name addresses that they do not have are one visitor. */
  async forge(): Promise<void> {
    const left: number[] = [];
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      const answer = await this.#post('/api/decode', BODY, { 'x-forwarded-for': address });
      const body: { usage: { remaining: number } } = JSON.parse(answer.text);
      left.push(body.usage.remaining);
      this.delivered += 1;
    }
    const [first = 0, second = 0] = left;
    if (second !== first - 1) throw new Error(`${this.name} lets a client write its own address.`);
    this.row.push('ignored');
  }

  async #decode(key: string, count: number): Promise<string> {
    const agent = this.#isTls
      ? new Agent({ keepAlive: true, rejectUnauthorized: false, localAddress: CLIENT })
      : new PlainAgent({ keepAlive: true, localAddress: CLIENT });
    let sent = 0;
    let answered = 0;
    const others: string[] = [];
    const call = async (): Promise<void> => {
      while (sent++ < count) {
        const { status } = await this.#post('/api/decode', BODY, { 'x-api-key': key }, agent);
        if (status === 200) answered += 1;
        else others.push(String(status));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    agent.destroy();
    this.delivered += answered;
    if (others.length > 0) throw new Error(`${this.name}: of ${count}, others than 200: ${others.join(', ')}`);
    return `${answered} of ${count}`;
  }

  #post(
    path: string,
    body: string,
    headers: Record<string, string>,
    agent?: Agent | PlainAgent,
  ): Promise<{ status: number; text: string }> {
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path,
      method: 'POST',
      localAddress: CLIENT,
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const open = this.#isTls ? request({ ...options, rejectUnauthorized: false }) : plainRequest(options);
    open.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    open.end(body);
    return promise;
  }
}

/** Shortens "nginx version: nginx/1.22.1" to "nginx 1.22.1". */
function shortened(version: string): string {
  const [, name = '', number = ''] =
    /(nginx|Apache|HAProxy|varnish)[\s/-]*(?:version )?(\d+(?:\.\d+)+)/i.exec(version) ?? [];
  return name === '' ? version : `${name} ${number}`;
}
