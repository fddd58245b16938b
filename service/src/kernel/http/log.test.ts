import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { readConfig, secretsOf } from '../config/config.ts';
import { createLog, withoutSecrets } from './log.ts';

test('VINs are cut to their first 11 characters, in any case', () => {
  expect(withoutSecrets('decoded 1HGCM82633A004352 and wvwzzz1jz3w386752.')).toBe(
    'decoded 1HGCM82633A****** and wvwzzz1jz3w******.',
  );
});

test('keys and passwords are masked wherever they occur', () => {
  expect(withoutSecrets('Bearer mq_live_abcDEF123 to postgres://marque:hunter2@db/marque')).toBe(
    'Bearer mq_*** to postgres://marque:***@db/marque',
  );
});

test('signing secrets of webhooks are masked', () => {
  expect(withoutSecrets('{"secret":"whsec_o8PE5ByBjg14r8+RbbbBdm3r8Yh0X3eCwJRO4lnpGMs="}')).toBe(
    '{"secret":"whsec_***"}',
  );
});

test('an error that carries a VIN and a key in its message and stack is logged without them', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  log.error(new Error('insert failed: 1HGCM82633A004352, mq_live_abcDEF123'), 'could not store');
  expect(lines.join('')).toContain('insert failed: 1HGCM82633A******, mq_***');
  expect(lines.join('')).not.toMatch(/004352|abcDEF123/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', msg: 'could not store' });
});

test('a secret of the configuration is masked wherever a party outside repeats it', () => {
  const lines: string[] = [];
  const password = 'p"ss\\word 7';
  const reading = readConfig({
    SMTP_URL: `smtp://marque:${encodeURIComponent(password)}@mail.example`,
    STRIPE_SECRET_KEY: 'sk_test_0123456789',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
    STRIPE_PRICE_STARTER: 'price_starter',
    STRIPE_PRICE_BUSINESS: 'price_business',
  });
  if (reading.kind === 'faulty') throw new Error('faulty');
  const log = createLog(
    'info',
    { write: (line: string) => void lines.push(line) },
    { secrets: secretsOf(reading.config) },
  );
  const sent = Buffer.from(`\0marque\0${password}`).toString('base64');
  log.warn({ err: new Error(`535 no: ${password} ${sent} sk_test_0123456789`) }, 'refused');
  for (const secret of [JSON.stringify(password).slice(1, -1), sent, 'sk_test_0123456789']) {
    expect(lines.join('')).not.toContain(secret);
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: '535 no: *** *** ***' } });
});

test('identifiers, times and ordinary words are left as they are', () => {
  const line = '{"time":"2026-11-20T10:00:00.000Z","id":"0193f0a1-7c2e-7d3a-9b1c-2f4e6a8c0d12","route":"/api/decode"}';
  expect(withoutSecrets(line)).toBe(line);
});

test('a log that nobody reads drops lines beyond a bound and says how many, and holds no process that ends', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
        process.stdout.on('error', () => {});
        const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)});
        const log = createLog('info');
        const flood = () => { for (let line = 0; line < 2_000; line++) log.info({ text: 'x'.repeat(6_000) }, 'flood'); };
        flood();
        process.stderr.write('flooded');
        process.stdin.once('data', () => {
          flood();
          log.fatal('stopped by force');
          process.exit(7);
        });
      `,
    ],
    { stdio: 'pipe' },
  );
  const exited = once(child, 'exit');
  await once(child.stderr, 'data');
  let kept = 0;
  for await (const line of createInterface(child.stdout)) {
    const { dropped }: { dropped?: number } = JSON.parse(line);
    if (dropped === undefined) {
      kept += 1;
      continue;
    }
    expect(dropped).toBeGreaterThan(0);
    expect(kept + dropped).toBe(2_000);
    break;
  }
  child.stdout.pause();
  child.stdin.end('flood and end');
  expect(await exited).toEqual([7, null]);
});

test.runIf(existsSync('/dev/full'))(
  'a log whose disk is full keeps its lines, and holds neither the process nor its end',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
        const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)});
        const log = createLog('info');
        for (let line = 0; line < 10; line++) log.info('nobody can write this');
        setTimeout(() => {
          log.fatal('stopped by force');
          process.exit(7);
        }, 300);
      `,
      ],
      { stdio: ['ignore', full, 'ignore'] },
    );
    closeSync(full);
    expect(await once(child, 'exit')).toEqual([7, null]);
  },
);
