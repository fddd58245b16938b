import { once } from 'node:events';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ConnectionFailedError, Marque } from '@marque/client';
import { expect, test } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const TIMEOUT_SECONDS = 0.5;

test.each(['says nothing', 'answers in single bytes'])(
  'a server that %s is given up in time, and when the caller says so, though garbage is collected meanwhile',
  async (how) => {
    const server = createServer((_request, response) => {
      if (how === 'says nothing') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const baseUrl = `http://127.0.0.1:${address.port}`;
    const collecting = setInterval(collectGarbage, 50);
    const late = new Marque({ baseUrl, retries: 0, timeoutSeconds: TIMEOUT_SECONDS });
    await expect(late.usage()).rejects.toThrow(ConnectionFailedError);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 200);
    const stopped = new Marque({ baseUrl, retries: 0, timeoutSeconds: 3_600 });
    await expect(stopped.usage({ signal: stop.signal })).rejects.toThrow('enough');
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  },
);
