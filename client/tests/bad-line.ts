import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A fault of one request on its way, or none (undefined). */
export type Mishap = 'answer lost' | { status: number; retryAfter?: string };

/** A proxy in front of a service that treats its first requests as instructed, in turn. */
export interface BadLine extends AsyncDisposable {
  url: string;
  /** Arrival of each request, in milliseconds. */
  arrivals: number[];
  /** Bodies and keys that came along. */
  idempotencyKeys: (string | undefined)[];
}

/** Starts the proxy. */
export async function badLineTo(url: string, mishaps: readonly Mishap[]): Promise<BadLine> {
  const arrivals: number[] = [];
  const idempotencyKeys: (string | undefined)[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mishap = mishaps[arrivals.length];
    arrivals.push(Date.now());
    idempotencyKeys.push(request.headers['idempotency-key']?.toString());
    if (typeof mishap === 'object') {
      const headers = mishap.retryAfter === undefined ? {} : { 'retry-after': mishap.retryAfter };
      response.writeHead(mishap.status, headers).end('<h1>Some gateway</h1>');
      return;
    }
    const { method = 'GET', headers } = request;
    const answer = await fetch(new URL(request.url ?? '/', url), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
      ),
      ...(method === 'POST' ? { body: await new Response(request).text() } : {}),
    });
    const body = await answer.text();
    if (mishap === 'answer lost') response.destroy();
    else {
      // `fetch` has unpacked the body: headers that describe its encoding no longer apply.
      const kept = [...answer.headers].filter(([name]) => !['content-encoding', 'content-length'].includes(name));
      response.writeHead(answer.status, Object.fromEntries(kept)).end(body);
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    idempotencyKeys,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
