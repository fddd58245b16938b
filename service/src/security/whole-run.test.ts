import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { hiddenIn, secretIn } from '../people/testing/people.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { runMarque } from '../testing/run-marque.ts';
import { codeAt, lastLink } from '../testing/reader.ts';
import { until } from '../testing/until.ts';
import { freePort } from '../testing/free-port.ts';
import { parrot, parrotOfMail } from './testing/outsiders.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/marque.js', import.meta.url));
const VIN = '5YJSA1E26HF176472';
const EMAIL = 'ada@example.com';

/** Secrets that must not be written anywhere, by kind. */
const secrets = {
  smtp: 'smtp-Xq7vT2-secret',
  database: 'db-Kp4Lw9-secret',
  source: 'src-Zn3Ry8-secret',
  stripe: 'sk_test_Hs6Jd1Wm0secret',
  webhook: 'whsec_Bf5Gc7Tk2secret',
  password: 'tapir lathe quilt 71',
  newPassword: 'walnut ferry 88 cobalt',
} as const;

/** Commands that an operator runs beside the service. */
const COMMANDS = [
  ['config'],
  ['key', 'list'],
  ['audit', 'list'],
  ['workspace', 'list'],
  ['db', 'verify'],
  ['privacy', 'export', '--workspace', 'ada-motors'],
];

let folder: string;
let fresh: TestDatabase;
let stops: (() => unknown)[];
/** Written texts, with their origin. */
let written: [string, string][];

beforeEach(() => {
  folder = dataFolder();
  stops = [];
  written = [];
});

afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  await fresh.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command beside the service, and notes its output. */
async function command(env: NodeJS.ProcessEnv, ...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [LAUNCHER, ...words], { env });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  written.push([`marque ${words.slice(0, 2).join(' ')}`, err]);
  return out;
}

/** Starts the service, and notes its output. */
async function serve(env: NodeJS.ProcessEnv): Promise<{ origin: string; child: ChildProcess; said: () => string }> {
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  stops.push(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  await until(async () => /ready at (\S+)/.test(said) || child.exitCode !== null);
  return { origin: /ready at (\S+)/.exec(said)?.[1] ?? said, child, said: () => said };
}

interface Answer {
  status: number;
  body: string;
  location: string;
}

/** Somebody with a browser: forms, cookies, and every answer noted. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @param shows whether the answer shows a secret once, on purpose. */
  async send(path: string, fields?: Record<string, string>, shows = false): Promise<Answer> {
    const answer = await fetch(this.#origin + path, {
      method: fields === undefined ? 'GET' : 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      redirect: 'manual',
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const body = await answer.text();
    const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie');
    if (!shows) written.push([`answer of ${path.slice(0, 30)}`, `${JSON.stringify(headers)}\n${body}`]);
    return { status: answer.status, body, location: answer.headers.get('location') ?? '' };
  }

  /** Sends a form, and follows where its answer leads, to a page that shows a secret once. */
  async submit(path: string, fields: Record<string, string>): Promise<Answer> {
    const { location } = await this.send(path, fields);
    return this.send(location, undefined, true);
  }
}

/** Signs up, sets a second factor up, makes a key. @returns the secrets that came up. */
async function person(browser: Browser, messages: string[]): Promise<Record<string, string>> {
  const letterWith = async (path: string): Promise<string> => {
    await until(async () => messages.some((message) => message.includes(path)), 60_000);
    return lastLink(messages.findLast((message) => message.includes(path)) ?? '', path);
  };
  await browser.send('/sign-up', { email: EMAIL, slug: 'ada-motors' });
  const link = await letterWith('/sign-up');
  await browser.send(link);
  await browser.send(link, { name: 'Ada', password: 'short' });
  const made = await browser.send(link, { name: 'Ada', password: secrets.password });
  expect(made.status).toBe(303);
  const factor = await browser.submit('/account/second-factor', { password: secrets.password });
  const totp = secretIn(factor.body);
  const shown = hiddenIn(factor.body);
  await browser.send('/account/second-factor/confirm', { ...shown, code: '000000' });
  const confirmed = await browser.submit('/account/second-factor/confirm', {
    ...shown,
    code: codeAt(totp, Date.now()),
  });
  const [, recovery = ''] = /<li>([^<]+)<\/li>/.exec(confirmed.body) ?? [];
  expect(recovery).not.toBe('');
  const session = [...browser.cookies].find(([name]) => name.includes('session_token'))?.[1] ?? '';
  const page = await browser.submit('/portal/ada-motors/keys', { name: 'first' });
  const key = /mq_live_\w+/.exec(page.body)?.[0] ?? '';
  for (const path of ['', '/keys', '/try', '/files', '/reports', '/members', '/plan']) {
    expect((await browser.send(`/portal/ada-motors${path}`)).status).toBe(200);
  }
  await browser.send('/portal/ada-motors/plan/buy', { plan: 'starter' });
  await browser.send('/sign-in', { email: EMAIL, password: `${secrets.password}!` });
  await browser.send('/forgot', { email: EMAIL });
  const reset = await letterWith('/reset');
  await browser.send(reset, { password: EMAIL });
  expect((await browser.send(reset, { password: secrets.newPassword })).status).toBe(303);
  await browser.send('/sign-in', { email: EMAIL, password: secrets.newPassword });
  await browser.send('/sign-in/code', { code: recovery });
  const later = [...browser.cookies].find(([name]) => name.includes('session_token'))?.[1] ?? '';
  for (const path of ['/account', '/admin', '/portal', '/nowhere']) await browser.send(path);
  await browser.send('/sign-out', {});
  return { link, reset, totp, recovery, session, later, key };
}

/** Sends the requests of programs with a key, right and wrong. */
async function programs(origin: string, key: string): Promise<void> {
  const call = async (path: string, headers: Record<string, string>, body: string): Promise<void> => {
    const answer = await fetch(origin + path, { method: 'POST', headers, body });
    const all = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
    written.push([`answer of ${path.slice(0, 20)}`, all]);
  };
  const json = { 'content-type': 'application/json' };
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  for (const sent of [key, wrong, `${key}x`, key.toUpperCase()]) {
    for (const headers of [
      { 'x-api-key': sent },
      { authorization: `Bearer ${sent}` },
      { authorization: sent },
      { cookie: sent },
    ]) {
      await call('/api/decode', { ...json, ...headers }, `{"vin":"${VIN}"}`);
      await call('/api/decode', { ...json, ...headers }, `{"vin":"${sent}"}`);
      await call('/api/decode', { ...json, ...headers }, `{"vin":"${VIN}","key":"${sent}"`);
    }
    await call(`/api/decode?key=${sent}`, json, `{"vin":"${VIN}"}`);
    await call(`/api/${sent}`, json, '{}');
    await call(`/${sent}/%E0%A4%A`, json, '{}');
    await call('/api/decode', { 'content-type': sent }, sent);
  }
  const unknown = 'ZZZZZ82633A004352';
  await call('/api/decode', { ...json, 'x-api-key': key }, `{"vin":"${unknown}"}`);
}

/** Events of Stripe, signed rightly and wrongly. */
async function stripeEvents(origin: string): Promise<void> {
  const object = { id: 'sub_1', object: 'subscription' };
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.subscription.updated',
    data: { object },
  });
  for (const secret of [secrets.webhook, 'whsec_of_somebody_else']) {
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(`${origin}/billing/stripe`, { method: 'POST', headers, body: payload });
    written.push(['answer to Stripe', await answer.text()]);
  }
}

/** Returns a secret in the forms in which it might be written. */
function formsOf(secret: string): string[] {
  const smtp = Buffer.from(`\0marque\0${secret}`).toString('base64');
  const plain = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, ''), smtp];
  return [...new Set([...plain, decodeURIComponent(secret)])];
}

/** Lists the secrets found, with their places. */
function leaks(all: Record<string, string>, places: readonly [string, string][]): string[] {
  return places.flatMap(([where, content]) =>
    Object.entries(all)
      .filter(([, secret]) => formsOf(secret).some((form) => content.includes(form)))
      .map(([what]) => `${what} in ${where}`),
  );
}

describe.each(ENGINES)('a whole run on %s', (engine) => {
  test(
    'writes no secret: not to its output, its metrics, its answers, its database or its backups',
    { timeout: 180_000 },
    async () => {
      fresh = await freshDatabase(engine);
      const messages: string[] = [];
      const { databaseUrl } = fresh.location;
      const metricsPort = await freePort();
      const [web, mail] = [await parrot(), await parrotOfMail(messages)];
      stops.push(web.close, mail.close);
      const env: NodeJS.ProcessEnv = {
        PATH: process.env['PATH'],
        DATA_DIR: folder,
        PORT: '0',
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'trace',
        SMTP_URL: `smtp://marque:${secrets.smtp}@${mail.address}`,
        STRIPE_SECRET_KEY: secrets.stripe,
        STRIPE_WEBHOOK_SECRET: secrets.webhook,
        STRIPE_PRICE_STARTER: 'price_starter',
        STRIPE_PRICE_BUSINESS: 'price_business',
        STRIPE_API_URL: `http://${web.address}`,
        ENRICHMENT_VPIC_URL: `http://marque:${secrets.source}@${web.address}/api`,
        ...(databaseUrl === undefined
          ? {}
          : { DATABASE_URL: databaseUrl.replace('marque@', `marque:${secrets.database}@`) }),
      };
      const { origin, child, said } = await serve(env);
      const found = await person(new Browser(origin), messages);
      const all: Record<string, string> = { ...secrets, ...found };
      for (const [what, secret] of Object.entries(all)) expect(`${what}: ${secret.length > 8}`).toBe(`${what}: true`);
      await programs(origin, found['key'] ?? '');
      await stripeEvents(origin);
      written.push(['metrics', await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()]);
      written.push(['marque config --json', await command(env, 'config', '--json')]);
      for (const words of COMMANDS) {
        const { status, out, err } = await runMarque(words, env);
        expect(status).toBe(0);
        written.push([`marque ${words.join(' ')}`, out + err]);
      }
      expect(await runMarque(['db', 'backup', join(folder, 'backup')], env)).toMatchObject({ status: 0 });
      written.push(['the backup', gunzipSync(readFileSync(join(folder, 'backup'))).toString()]);
      child.kill('SIGTERM');
      await once(child, 'exit');
      written.push(['the log', said()]);
      // A second start, with nothing that it needs.
      const nowhere = { ...env, DATABASE_URL: `postgres://marque:${secrets.database}@127.0.0.1:9/marque` };
      const refused = await command(nowhere, 'serve');
      written.push(['a start without a database', refused]);
      for (const name of readdirSync(folder).filter((file) => file.startsWith('marque.db'))) {
        written.push([name, readFileSync(join(folder, name)).toString('latin1')]);
      }
      // The run did its work.
      expect(said().split('\n').length).toBeGreaterThan(100);
      expect(said()).toContain('answered');
      expect(written.map(([, content]) => content).join()).toContain('marque_');
      expect(leaks(all, written)).toEqual([]);
      expect(said()).not.toContain(VIN);
      expect(said()).not.toContain(EMAIL);
    },
  );
});
