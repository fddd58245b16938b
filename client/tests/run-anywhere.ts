// Runs anywhere.js in another runtime, against the real service: node client/tests/run-anywhere.ts bun
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { badLineTo } from './bad-line.ts';
import { startService } from './real-service.ts';

const SCRIPT = fileURLToPath(new URL('anywhere.js', import.meta.url));

/** Runs the client's promises with a command line, such as `bun` or `deno run -A`. Returns its output. */
export async function runAnywhere(program: string, ...words: string[]): Promise<string> {
  await using service = await startService({ PUBLIC_MONTHLY_LIMIT: '1' });
  await using lossy = await badLineTo(service.url, ['answer lost', { status: 502 }, 'answer lost']);
  await using slow = await badLineTo(service.url, [{ status: 503, retryAfter: '3600' }]);
  await using slowToRetry = await badLineTo(service.url, [{ status: 503, retryAfter: '20' }]);
  await using batch = await badLineTo(service.url, [{ status: 503, retryAfter: '0' }, 'answer lost']);
  const child = spawn(program, [...words, SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(
    JSON.stringify({
      serviceUrl: service.url,
      apiKey: await service.keyFor('acme', 1000),
      lossyUrl: lossy.url,
      slowUrl: slow.url,
      slowToRetryUrl: slowToRetry.url,
      batchUrl: batch.url,
    }),
  );
  const [[status], printed, complaints] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${complaints}`);
  return printed;
}

const [, script, program, ...words] = process.argv;
if (program !== undefined && script === fileURLToPath(import.meta.url)) {
  process.stdout.write(await runAnywhere(program, ...words));
}
