import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { Webhook } from 'standardwebhooks';

import { until } from '../../testing/until.ts';

/** A request that came in. */
export interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
}

type Treatment = (response: ServerResponse, got: Received) => void;

/** A real HTTP server that receives events, as a subscriber would run it. */
export interface Receiver extends AsyncDisposable {
  url: string;
  /** In the order in which they came. */
  got: Received[];
  /** The most requests that were ever under way at once. */
  mostAtOnce(): number;
  /** From now on it answers so; 204 by default. */
  treat(treatment: Treatment): void;
  /** Resolves when this many came. */
  untilGot(count: number): Promise<void>;
}

/** Starts a receiver. */
export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  let underWay = 0;
  let most = 0;
  let treat: Treatment = accept;
  const server = createServer((request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on('close', () => (underWay -= 1));
    const receive = async (): Promise<void> => {
      const body = await bodyOf(request);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const received = { id: headers['webhook-id'] ?? '', headers, body };
      got.push(received);
      treat(response, received);
    };
    // A sender that is killed leaves half a request.
    receive().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    got,
    mostAtOnce: () => most,
    treat(treatment) {
      treat = treatment;
    },
    untilGot: (count) => until(async () => got.length >= count),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function accept(response: ServerResponse): void {
  response.writeHead(204).end();
}

/** Returns a request's contents, once its signature is found right by the library that subscribers use. */
export function verified(secret: string, { headers, body }: Received): { type: string; data: Record<string, unknown> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library gives what was sent
  return new Webhook(secret).verify(body, headers) as { type: string; data: Record<string, unknown> };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
