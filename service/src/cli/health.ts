import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { InvalidArgumentError } from 'commander';

import type { Command } from '../kernel/cli/command.ts';
import { CommandError, type Io } from '../kernel/cli/io.ts';
import { configOf } from '../kernel/cli/settings.ts';

/** The service gives itself 0.9 seconds to find out whether it is ready; what takes longer is stuck. */
const ANSWER_WITHIN_MS = 2000;

const ASK_AGAIN_MS = 100;
const LONGEST_WAIT_SECONDS = 3600;

/** Adds `health`. */
export function define(health: Command, io: Io): void {
  health
    .reads('HOST', 'PORT')
    .option('--wait <seconds>', 'how long to wait for the service to become ready', toSeconds, 0)
    .action(async ({ wait }: { wait: number }) => untilReady(readyUrl(io), wait));
}

function toSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > LONGEST_WAIT_SECONDS) {
    throw new InvalidArgumentError(`Give a whole number of seconds, up to ${LONGEST_WAIT_SECONDS}.`);
  }
  return Number(text);
}

function readyUrl(io: Io): URL {
  const { host, port } = configOf(io);
  if (port === 0)
    throw new CommandError(
      'PORT is 0, so only the service knows its port. Set PORT to the port that the service listens on.',
    );
  const url = new URL(`http://localhost:${port}/readyz`);
  // A service that listens on every interface is checked on the loopback.
  url.hostname = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return url;
}

async function untilReady(url: URL, waitSeconds: number): Promise<void> {
  const giveUpAt = performance.now() + waitSeconds * 1000;
  for (;;) {
    const fault = await askOnce(url);
    if (fault === undefined) return;
    if (performance.now() >= giveUpAt) throw new CommandError(`Not ready at ${url.origin}: ${fault}`);
    await sleep(ASK_AGAIN_MS);
  }
}

/** Checks once. @returns why it is not ready; undefined: it is. */
async function askOnce(url: URL): Promise<string | undefined> {
  const { promise: answered, resolve } = Promise.withResolvers<string | undefined>();
  const asked = request(url, { timeout: ANSWER_WITHIN_MS, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode === 200 ? undefined : `the service answers ${response.statusCode}.`);
  });
  asked.on('timeout', () => asked.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} seconds.`)));
  asked.on('error', ({ message }) => resolve(message));
  asked.end();
  return answered;
}
