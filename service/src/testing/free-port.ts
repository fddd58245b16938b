import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to connections, and to servers that take any: from the look at one until its
 * server listens, or while that is stopped, no other test gets it. Each process has a hundred of its own.
 */
const FIRST_PORT = 20_000 + (process.pid % 120) * 100;
let taken = 0;

/** Returns a port of the loopback that no process listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = FIRST_PORT + (taken++ % 100);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
