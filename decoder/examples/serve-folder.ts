import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
};

/** A static server of a folder; it reports the paths sent so far. */
export interface FolderServer extends AsyncDisposable {
  origin: string;
  sentBytes(): number;
}

/** Serves a folder as any static server would: files as they are, nothing compressed on the way. */
export async function serveFolder(folder: string): Promise<FolderServer> {
  let sentBytes = 0;
  const server = createServer((request, response) => {
    // oxlint-disable-next-line no-restricted-properties -- an address, not a file
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const send = async (): Promise<void> => {
      const content = await readFile(join(folder, path));
      sentBytes += content.length;
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(content);
    };
    send().catch(() => response.writeHead(404).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    sentBytes: () => sentBytes,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
