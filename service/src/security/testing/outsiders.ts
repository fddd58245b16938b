import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

/** A party outside. */
export interface Outsider {
  /** Its host and port. */
  address: string;
  close: () => void;
}

/** Starts an HTTP server that refuses all requests, and repeats what it received, secrets too. */
export async function parrot(): Promise<Outsider> {
  const server = createServer((request, response) => {
    void text(request).then((body): undefined => {
      const received = [request.url, request.headers.authorization, body].join(' ');
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: `Refused: ${received}` } }));
      return undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: addressOf(server), close: () => server.close() };
}

/** Starts a mail server that once refuses the right password, and repeats it. It adds the mails to `messages`. */
export async function parrotOfMail(messages: string[]): Promise<Outsider> {
  let tries = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      tries += 1;
      if (tries === 2) done(new Error(`No such user ${username} with ${password}`));
      else done(null, { user: username });
    },
    onData(stream, _session, done) {
      stream.on('end', done);
      void text(stream).then((message) => messages.push(message.replace(/=\r\n/g, '').replaceAll('=3D', '=')));
    },
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  return { address: addressOf(server.server), close: () => server.close(() => {}) };
}

function addressOf(server: { address: () => AddressInfo | string | null }): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return `127.0.0.1:${address.port}`;
}
