import { Accounts } from '../service/dist/people/accounts.js';
import { signUp } from '../service/dist/people/testing/people.js';
import { endpointAt } from '../service/dist/webhooks/testing/webhooks.js';
import { insertPerson } from '../service/dist/people/people.js';
import { authSecret } from '../service/dist/people/secret.js';
import { createKey, createWorkspace, revokeKey, systemRandom } from '../service/dist/workspaces/index.js';
import { mintKey } from '../service/dist/workspaces/key.js';
import { systemClock } from '../service/dist/kernel/clock.js';
import { newUuid7 } from '../service/dist/kernel/db/uuid7.js';
import { type TestService, testService } from '../service/dist/testing/service.js';
import { compare, type Comparison } from './compare.ts';

import type { Ratio } from './ratio.ts';

export const name = 'timing';
export const title = 'What the time of a refusal tells: pairs that must look alike, asked in random order';

const PASSWORD = 'correct horse battery';

/** Two kinds of requests that are answered alike. */
interface Pair {
  what: string;
  samples: number;
  /** Sends one of a kind, the numbered one. */
  ask: (kind: 'a' | 'b', number: number) => Promise<unknown>;
  /** Between two requests, not measured. */
  rest?: () => Promise<void>;
}

/** The difference that each pair shows, beside the difference of a kind with itself: the noise. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const service = await testService({
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'silent',
    SMTP_URL: 'smtp://127.0.0.1:9',
  });
  // Signs people up by links in its log.
  await using pages = await testService();
  const origin = await service.app.listen({ port: 0 });
  const ratios: Ratio[] = [];
  try {
    for (const pair of [
      ...(await keyPairs(service, origin)),
      ...(await jobPairs(service, origin)),
      ...(await pagePairs(pages)),
      ...(await accountPairs(service, origin)),
    ]) {
      const compared = compare(...(await measure(pair)));
      print(lineOf(pair.what, compared));
      if (!pair.what.startsWith('noise: ')) ratios.push(ratioOf(pair.what, compared));
    }
    return ratios;
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

const us = (ms: number): string => `${Math.round(ms * 1000)} µs`;
const madeUp = (): string => newUuid7(systemClock());
const unknown = (): string => mintKey(systemRandom).key;
/** Waits until work that was started in the background has begun. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));

function lineOf(what: string, { medians, difference, interval, likelihood }: Comparison): string {
  return [
    what.padEnd(62),
    `medians ${us(medians[0])} and ${us(medians[1])}`,
    `difference ${us(difference)} (95 %: ${us(interval[0])} to ${us(interval[1])})`,
    `second slower in ${(100 * likelihood).toFixed(1)} % of pairs`,
  ].join('   ');
}

function ratioOf(what: string, { medians: [first, second] }: Comparison): Ratio {
  return { what: `Median time: ${what}`, beside: 'each other', ratio: second / first, aim: '1.00' };
}

/** Asks both kinds in random order. @returns the times of each, milliseconds. */
async function measure({ samples, ask, rest }: Pair): Promise<[number[], number[]]> {
  const times = { a: [] as number[], b: [] as number[] };
  const left = { a: samples, b: samples };
  for (let warm = 0; warm < 10; warm++) await whole(await ask('a', samples + warm));
  while (left.a + left.b > 0) {
    const kind = Math.random() < left.a / (left.a + left.b) ? 'a' : 'b';
    left[kind] -= 1;
    const began = performance.now();
    await whole(await ask(kind, left[kind]));
    times[kind].push(performance.now() - began);
    await rest?.();
  }
  return [times.a, times.b];
}

/** Reads an answer that came over a socket. */
async function whole(answer: unknown): Promise<void> {
  if (answer instanceof Response) await answer.arrayBuffer();
}

async function keyPairs({ database }: TestService, origin: string): Promise<Pair[]> {
  const samples = 3_000;
  const deps = { database, clock: systemClock, random: systemRandom };
  const made = await createWorkspace(deps, { slug: 'timed', plan: 'free' }, 'cli:test');
  if (made.kind !== 'created') throw new Error(made.kind);
  const revoked: string[] = [];
  for (let index = 0; index < samples + 10; index++) {
    const { id, key } = await createKey(deps, { workspaceId: made.workspace.id, name: 'timed' }, 'cli:test');
    await revokeKey(deps, id, 'cli:test');
    revoked.push(key);
  }
  const decode = (key: string): Promise<Response> =>
    fetch(`${origin}/api/decode`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{"vin":"1HGCM82633A004352"}',
    });
  const [same, other] = [unknown(), unknown()];
  return [
    { what: 'noise: an unknown key, and an unknown key', samples, ask: () => decode(unknown()) },
    {
      what: 'an unknown key, and a revoked one, each for the first time',
      samples,
      ask: (kind, number) => decode(kind === 'a' ? unknown() : (revoked[number] ?? '')),
    },
    {
      what: 'noise: the same unknown key, and the same other one',
      samples,
      ask: (kind) => decode(kind === 'a' ? same : other),
    },
    {
      what: 'the same unknown key, and the same revoked one, again and again',
      samples,
      ask: (kind) => decode(kind === 'a' ? same : (revoked[0] ?? '')),
    },
  ];
}

/** Ids of another workspace's jobs, and ids that nobody has. */
async function jobPairs(service: TestService, origin: string): Promise<Pair[]> {
  const samples = 3_000;
  const [owner, stranger] = [await service.keyFor('business'), await service.keyFor('free')];
  const payload = { vins: ['1HGCM82633A004352'] };
  const made = await service.app.inject({ method: 'POST', url: '/api/jobs', headers: { 'x-api-key': owner }, payload });
  const { id }: { id: string } = made.json();
  const ask = async (job: string): Promise<Response> =>
    fetch(`${origin}/api/jobs/${job}`, { headers: { 'x-api-key': stranger } });
  return [
    { what: "noise: a job's made-up id, and another", samples, ask: async () => ask(madeUp()) },
    {
      what: "a job's made-up id, and another workspace's",
      samples,
      ask: async (kind) => ask(kind === 'a' ? madeUp() : id),
    },
  ];
}

/** Pages of another workspace, and pages that nobody has, asked for by someone who is signed in. */
async function pagePairs(service: TestService): Promise<Pair[]> {
  const samples = 2_000;
  await signUp(service, 'owner@example.com', 'owners-own');
  const stranger = await signUp(service, 'stranger@example.com', 'stranger');
  await service.app.inject({
    method: 'POST',
    url: '/api/decode',
    headers: { 'x-api-key': await service.keyFor('business') },
    payload: { vin: '1HGCM82633A004352' },
  });
  const { id: workspaceId } = await service.database.kysely
    .selectFrom('workspaces')
    .select('id')
    .where('slug', '=', 'owners-own')
    .executeTakeFirstOrThrow();
  const { endpoint } = await endpointAt(service.database, workspaceId, 'https://example.com/hook');
  const decode = await service.database.kysely.selectFrom('decodes').select('id').executeTakeFirstOrThrow();
  const pairs: [what: string, theirs: string, madeUp: () => string][] = [
    ['workspace', '/portal/owners-own', () => '/portal/nobody-has'],
    ['webhook', `/portal/stranger/webhooks/${endpoint.id}`, () => `/portal/stranger/webhooks/${madeUp()}`],
    ['decode', `/portal/stranger/decodes/${decode.id}`, () => `/portal/stranger/decodes/${madeUp()}`],
  ];
  return pairs.flatMap(([what, theirs, nobodys]) => [
    {
      what: `noise: a ${what}'s made-up id, and another`,
      samples,
      ask: async () => stranger.get(nobodys()),
    },
    {
      what: `a ${what}'s made-up id, and another's, by session`,
      samples,
      ask: async (kind) => stranger.get(kind === 'a' ? nobodys() : theirs),
    },
  ]);
}

async function accountPairs({ database }: TestService, origin: string): Promise<Pair[]> {
  const [signIns, resets] = [150, 300];
  const secret = await authSecret(database);
  const accounts = new Accounts({ database, clock: systemClock, secret, isSecure: false });
  const passwordHash = await accounts.hash(PASSWORD, { network: '192.0.2.1' });
  for (let index = 0; index < resets + 10; index++) {
    const person = { email: `known${index}@example.com`, name: 'Known', passwordHash };
    await database.kysely.transaction().execute((transaction) => insertPerson(transaction, person, systemClock()));
  }
  let network = 0;
  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      // A network of its own each time: otherwise the counts of tries would stop the measurement.
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `10.${++network >> 14}.${(network >> 7) % 128}.${network % 128}`,
      },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const signIn = (kind: string, number: number): Promise<Response> =>
    post('/sign-in', { email: `${kind}${number % 10}@example.com`, password: 'wrong wrong wrong' });
  const forgetTries = async (): Promise<void> => {
    await database.kysely.deleteFrom('auth_tries').execute();
  };
  const reset = (email: string): Promise<Response> => post('/forgot', { email });
  return [
    {
      what: 'noise: sign-in to no account, and to no account',
      samples: signIns,
      rest: forgetTries,
      ask: (kind, number) => signIn(kind, number),
    },
    {
      what: 'sign-in to no account, and to one, with a wrong password',
      samples: signIns,
      rest: forgetTries,
      ask: (kind, number) => signIn(kind === 'a' ? 'nobody' : 'known', number),
    },
    {
      what: 'noise: a new password for no account, and for no account',
      samples: resets,
      rest: settle,
      ask: (kind, number) => reset(`${kind}${number}@example.org`),
    },
    {
      what: 'a new password for no account, and for one',
      samples: resets,
      rest: settle,
      ask: (kind, number) => reset(kind === 'a' ? `nobody${number}@example.com` : `known${number}@example.com`),
    },
  ];
}
