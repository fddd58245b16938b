import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';

import { fastify } from 'fastify';

import { subscriber } from '../../metering/testing/usage.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { inTurn } from '../../kernel/http/in-turn.ts';
import { until } from '../../testing/until.ts';
import { shedLoad } from '../admission.ts';
import type { AdmissionBounds } from '../admission-bounds.ts';
import { authenticate, decorateCaller } from '../authenticate.ts';
import type { KnownWorkspace } from '../caller.ts';
import type { Caller } from '../index.ts';

const CALLERS: Record<string, Caller> = {
  free: subscriber('free', 100),
  paid: { ...subscriber('paid', null), plan: 'starter' },
  other: { ...subscriber('other', null), plan: 'starter' },
  /** Its key was not looked up lately. */
  fresh: { ...subscriber('fresh', null), plan: 'starter' },
};
const WORKSPACES: Record<string, KnownWorkspace> = {
  free: { id: 'free', plan: 'free' },
  paid: { id: 'paid', plan: 'starter' },
  other: { id: 'other', plan: 'starter' },
};
const PUBLIC: Caller = { kind: 'public', clientId: 'somebody', limit: 50 };

/** The time that each request takes on the clock of admission. */
const TAKES_MS = 20;

/** A small service behind admission, whose clock moves with what it serves. */
export class Admitted {
  readonly app = fastify({ forceCloseConnections: true });
  /** Decodes are answered once it is resolved. */
  readonly open = Promise.withResolvers<void>();
  nowMs = 0;
  healthTakesMs = 0;
  /** Health checks and decodes in the order in which they were served. */
  readonly order: string[] = [];
  connected = 0;
  received = 0;
  readonly shed: string[] = [];
  onServed: () => void = () => {};
  /** Called for each body of JSON that is read. Those of `!}` are refused then. */
  onRead: () => void = () => {};
  /** The requests served, in order, and the number of connections accepted by then. */
  served: { kind: string; connected: number }[] = [];

  async start(bounds: Partial<AdmissionBounds>): Promise<string> {
    const { app } = this;
    decorateCaller(app, 'Service');
    shedLoad(app, {
      workspaceOf: ({ 'x-api-key': key }) => WORKSPACES[String(key)],
      networkOf: ({ headers }) => String(headers['x-network']),
      headers: { api: { 'x-always': 'there' }, other: { 'x-of': 'others' } },
      onShed: (kind) => void this.shed.push(kind),
      bounds: { connections: 1, ...bounds },
      now: () => this.nowMs,
    });
    app.removeContentTypeParser('application/json');
    const read = (body: string): unknown => {
      this.nowMs += TAKES_MS;
      this.onRead();
      if (body === '!}') throw new HttpError(400, 'No.');
      return body;
    };
    app.addContentTypeParser('application/json', { parseAs: 'string' }, inTurn(read));
    const access = {
      identify: async ({ headers }: { headers: Record<string, unknown> }) =>
        CALLERS[String(headers['x-api-key'])] ?? PUBLIC,
    };
    for (const path of ['/api/one', '/api/batch']) {
      app.post(path, { onRequest: authenticate(access) }, async ({ headers, url }) => {
        this.nowMs += TAKES_MS;
        this.order.push('decode');
        this.served.push({
          kind: url === '/api/batch' ? 'batch' : String(headers['x-api-key'] ?? headers['x-network'] ?? 'public'),
          connected: this.connected,
        });
        await this.open.promise;
        return { ok: true };
      });
    }
    app.post('/api/long', { onRequest: authenticate(access) }, async () => {
      this.served.push({ kind: 'long', connected: this.connected });
      return 'x'.repeat(12_000_000);
    });
    app.get('/healthz', () => {
      this.nowMs += this.healthTakesMs;
      this.order.push('health');
      return { status: 'ok' };
    });
    for (const path of ['/', '/portal', '/sign-in', '/sign-in/code']) {
      app.get(path, async ({ url }) => {
        this.nowMs += TAKES_MS;
        this.served.push({ kind: url, connected: this.connected });
        this.onServed();
        return 'page';
      });
    }
    app.post('/sign-in', async () => 'signed in');
    app.post('/mcp', { onRequest: authenticate(access) }, async ({ url }) => {
      this.served.push({ kind: url, connected: this.connected });
      return { ok: true };
    });
    const origin = await app.listen({ port: 0 });
    app.server.on('connection', () => (this.connected += 1)).on('request', () => (this.received += 1));
    return origin;
  }

  /** Fills the service, and has this many of each kind wait for their turn. */
  async fill(origin: string, most: number, each: number): Promise<Record<string, Promise<Response>[]>> {
    const first = Array.from({ length: most }, async () => post(`${origin}/api/one`, 'paid'));
    await until(async () => this.served.length === most);
    const many = (path: string, key?: string): Promise<Response>[] =>
      Array.from({ length: each }, async () => post(origin + path, key));
    const waiting = {
      public: many('/api/one'),
      batch: many('/api/batch', 'free'),
      free: many('/api/one', 'free'),
      paid: many('/api/one', 'paid'),
    };
    await until(async () => this.received === most + 4 * each);
    this.served = [];
    return { first, ...waiting };
  }

  connections(): Promise<number> {
    return promisify(this.app.server.getConnections.bind(this.app.server))();
  }
}

/** Sends a request on a connection of its own. */
export const post = (url: string, key?: string, network?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...(key && { 'x-api-key': key }), ...(network && { 'x-network': network }), connection: 'close' },
  });

export const statuses = async (answers: Promise<Response>[] = []): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);

/** The head of a request with a free key, but for its length. */
export const HEAD = 'POST /api/one HTTP/1.1\r\nHost: x\r\nx-api-key: free\r\nContent-Type: application/json\r\n';

/** Sends a request over a socket of its own, whole or without its body. */
export async function send(origin: string, isWhole: boolean, head = HEAD, begun = '{'): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head}Content-Length: 2\r\n\r\n${isWhole ? '{}' : begun}`);
  return socket;
}

/** Counts turns of the event loop until it is stopped. */
export function countTurns(): { current: () => number; stop: () => void } {
  let turn = 0;
  let next: NodeJS.Immediate | undefined;
  const count = (): void => {
    turn += 1;
    next = setImmediate(count);
  };
  count();
  return { current: () => turn, stop: () => clearImmediate(next) };
}
