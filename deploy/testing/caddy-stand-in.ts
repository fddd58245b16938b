import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** Settings of a Caddyfile: the stand-in knows these and no other directives of `reverse_proxy`. */
export interface ProxySettings {
  upstreams: string[];
  healthPath: string;
  healthIntervalMs: number;
  tryForMs: number;
  tryIntervalMs: number;
}

/**
 * Reads a Caddyfile's one `reverse_proxy`. @throws Error when something is missing that the stand-in needs, or it has
 * `fail_duration`: then Caddy leaves out an instance whose clients go away in the middle of their requests.
 */
export function readProxySettings(caddyfile: string): ProxySettings {
  if (/^\s*fail_duration/m.test(caddyfile)) throw new Error('Anyone could take the instances out.');
  const words = (directive: string): string[] => {
    const line = new RegExp(`^\\s*${directive} ([^{\\n]+)`, 'm').exec(caddyfile)?.[1];
    if (line === undefined) throw new Error(`The Caddyfile has no ${directive}.`);
    return line.trim().split(/\s+/);
  };
  const milliseconds = (directive: string): number => {
    const [, number, unit] = /^(\d+)(ms|s)$/.exec(words(directive)[0] ?? '') ?? [];
    if (number === undefined) throw new Error(`The Caddyfile's ${directive} is no time.`);
    return Number(number) * (unit === 's' ? 1000 : 1);
  };
  return {
    upstreams: words('reverse_proxy'),
    healthPath: words('health_uri')[0] ?? '',
    healthIntervalMs: milliseconds('health_interval'),
    tryForMs: milliseconds('lb_try_duration'),
    tryIntervalMs: milliseconds('lb_try_interval'),
  };
}

interface Upstream {
  origin: URL;
  isHealthy: boolean;
  open: number;
}

/**
 * Imitates Caddy, of which npm has no package: asks the upstreams for their health, sends each request to the healthy
 * one with the fewest open ones, tries another if a connection is refused, and overwrites X-Forwarded-For with the
 * address that it sees.
 */
export class CaddyStandIn {
  readonly #settings: ProxySettings;
  readonly #upstreams: Upstream[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #checks: NodeJS.Timeout;

  private constructor(settings: ProxySettings, resolve: (upstream: string) => string) {
    this.#settings = settings;
    this.#upstreams = settings.upstreams.map((upstream) => ({
      origin: new URL(`http://${resolve(upstream)}`),
      isHealthy: false,
      open: 0,
    }));
    this.#server = createServer((asked, answer) => void this.#proxy(asked, answer));
    this.#checks = setInterval(() => void this.checkAll(), settings.healthIntervalMs);
  }

  /** @param resolve gives the host and port of an upstream's name. */
  static async start(settings: ProxySettings, resolve: (upstream: string) => string): Promise<CaddyStandIn> {
    const proxy = new CaddyStandIn(settings, resolve);
    proxy.#server.listen(0);
    await once(proxy.#server, 'listening');
    await proxy.checkAll();
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen.');
    return address.port;
  }

  close(): void {
    clearInterval(this.#checks);
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  /** Asks every upstream for its health. */
  async checkAll(): Promise<void> {
    await Promise.all(
      this.#upstreams.map(async (upstream) => {
        const answer = await fetch(new URL(this.#settings.healthPath, upstream.origin)).catch(() => undefined);
        await answer?.arrayBuffer();
        upstream.isHealthy = answer?.status === 200;
      }),
    );
  }

  async #proxy(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of asked) body.push(Buffer.from(chunk));
    const giveUpAt = performance.now() + this.#settings.tryForMs;
    do {
      const upstream = this.#choose();
      if (upstream !== undefined && (await this.#forward(asked, Buffer.concat(body), upstream, answer))) return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      setTimeout(resolve, this.#settings.tryIntervalMs, undefined);
      await promise;
    } while (performance.now() < giveUpAt);
    answer.writeHead(502).end();
  }

  #choose(): Upstream | undefined {
    return this.#upstreams.filter(({ isHealthy }) => isHealthy).toSorted((a, b) => a.open - b.open)[0];
  }

  /** Forwards a request. @returns whether it is answered; false: no upstream has read it, another may. */
  async #forward(asked: IncomingMessage, body: Buffer, upstream: Upstream, answer: ServerResponse): Promise<boolean> {
    const { promise: done, resolve } = Promise.withResolvers<boolean>();
    const address = (asked.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const headers = { ...asked.headers, 'x-forwarded-for': address, 'x-forwarded-proto': 'https' };
    const { method = 'GET', url = '/' } = asked;
    upstream.open += 1;
    const forwarded = request(new URL(url, upstream.origin), { method, headers, agent: this.#agent }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer).on('finish', () => resolve(true));
    });
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') answer.writeHead(502).end();
      resolve(error.code !== 'ECONNREFUSED');
    });
    forwarded.end(body);
    const isAnswered = await done;
    upstream.open -= 1;
    return isAnswered;
  }
}
