import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import type { Face } from './face.ts';
import { serverWith } from './tools.ts';

/** Serves one client over two streams, until it closes its side. Nothing but the protocol may be written to them. */
export async function serveMcp(input: Readable, output: Writable, face: Face, version: string): Promise<void> {
  const server = serverWith(face, version);
  const ended = once(input, 'end');
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  await server.close();
}
