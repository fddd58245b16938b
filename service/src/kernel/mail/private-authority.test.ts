import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The server's certificate is of an authority whose key was thrown away; all are valid until 2126. */
const file = (name: string): string => fileURLToPath(new URL(`testing/${name}`, import.meta.url));
const identity = { key: readFileSync(file('server-key.pem')), cert: readFileSync(file('server.pem')) };

/** Node reads the variable at its start alone, so that each try is a process of its own. */
const SENDS = `
  import { openMailer } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
  await openMailer({ smtpUrl: process.argv[1], mailFrom: undefined, baseUrl: undefined })
    .send({ to: 'ada@example.com', subject: 'A link', text: 'https://vin.example.com/' });`;
const CALLS = `
  import { request } from 'undici';
  import { openAgent } from ${JSON.stringify(new URL('../egress/agent.ts', import.meta.url).href)};
  const dispatcher = openAgent({ mayReach: () => true, connections: 1, timeoutMs: 5000, mostBytes: 1000 });
  await request(process.argv[1], { method: 'POST', dispatcher });
  await dispatcher.close();`;

let received = 0;
const mailServer = new SMTPServer({
  ...identity,
  secure: true,
  authOptional: true,
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      received += 1;
      done();
    });
  },
});
// A client that does not trust it hangs up.
mailServer.on('error', () => {});
const webServer = createServer(identity, (_request, response) => {
  received += 1;
  response.end();
});
let mailPort: number;
let webPort: number;

beforeAll(async () => {
  const listening = mailServer.listen(0, '127.0.0.1');
  webServer.listen(0, '127.0.0.1');
  await Promise.all([once(listening, 'listening'), once(webServer, 'listening')]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TCP servers that listen have ports
  [mailPort, webPort] = [listening, webServer].map((one) => (one.address() as AddressInfo).port) as [number, number];
});

afterAll(async () => {
  webServer.close();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});

async function run(script: string, address: string, env: NodeJS.ProcessEnv): Promise<void> {
  const words = ['--input-type=module', '--eval', script, address];
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  await promisify(execFile)(process.execPath, words, { cwd, env: { PATH: process.env['PATH'], ...env } });
}

test.each([
  ['mail', SENDS, () => `smtps://localhost:${mailPort}`],
  ['a webhook', CALLS, () => `https://127.0.0.1:${webPort}/`],
])('%s reaches a server of a private authority only with NODE_EXTRA_CA_CERTS', async (_, script, address) => {
  const before = received;
  await expect(run(script, address(), {})).rejects.toThrow(/certificate/);
  expect(received).toBe(before);
  await run(script, address(), { NODE_EXTRA_CA_CERTS: file('authority.pem') });
  expect(received).toBe(before + 1);
});
