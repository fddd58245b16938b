import { randomUUID } from 'node:crypto';

import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createKey, revokeKey, systemRandom } from './workspaces/index.ts';
import { systemClock } from './kernel/clock.ts';
import { type Judge, judgeOf } from './testing/contract/answers.ts';
import { contractOf } from './testing/contract/description.ts';
import { type DrawnRequest, requestsOf } from './testing/contract/requests.ts';
import { ENGINES, freshDatabase, type TestDatabase } from './testing/databases.ts';
import { testService, type TestService } from './testing/service.ts';
import { verifyUsage } from './metering/index.ts';

/** On each database; many more in the drills. */
const REQUESTS = Number(process.env['MARQUE_FUZZED_REQUESTS'] ?? 1_000);
const AT_ONCE = 8;
const SEED = Number(process.env['MARQUE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

/** Outcomes that a run must have met, beside a success of each operation. */
const OUTCOMES = ['decode 202', 'decode 401', 'decode 429'];
const MOST_ROUNDS = 5;

interface BatchLine {
  status?: string;
  requestId?: string;
}

/** Returns the ids of the charged decodes that an answer delivers. A repeated answer has the ids of the first one. */
function deliveredIn({ operationId }: DrawnRequest, answer: LightMyRequestResponse): string[] {
  if (answer.statusCode !== 200) return [];
  if (operationId === 'decode' || operationId === 'decodeCandidates') return [String(answer.headers['x-request-id'])];
  if (operationId.startsWith('vpic')) return deliveredAsVpic(operationId, answer);
  if (operationId !== 'decodeBatch') return [];
  const isStream = answer.headers['content-type'] === 'application/x-ndjson';
  const lines: BatchLine[] = isStream
    ? answer.body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    : answer.json<{ results: BatchLine[] }>().results;
  return lines.flatMap(({ status, requestId = '' }) => (status === 'decoded' ? [requestId] : []));
}

/**
 * Returns the same of an answer in the shape of vPIC, which has the id of a single decode only: a batch's are named
 * here. What was decoded has a vehicle descriptor. NHTSA's CSV has its columns in lower case.
 */
function deliveredAsVpic(operationId: string, { headers, body }: LightMyRequestResponse): string[] {
  if (operationId !== 'vpicDecodeVinValuesBatch') {
    const id = headers['x-request-id'];
    return id === undefined ? [] : [String(id)];
  }
  const type = String(headers['content-type']);
  const descriptors = type.startsWith('text/csv')
    ? parse<Record<string, string>>(body, { columns: true }).map((row) => row['vehicledescriptor'] ?? '')
    : type.startsWith('application/xml')
      ? [...body.matchAll(/<VehicleDescriptor>([^<]+)</g)].map(([, text = '']) => text)
      : flatResults(body).map((row) => row.VehicleDescriptor);
  return descriptors.filter((text) => text !== '').map(() => randomUUID());
}

function flatResults(body: string): { VehicleDescriptor: string }[] {
  const { Results }: { Results: { VehicleDescriptor: string }[] } = JSON.parse(body);
  return Results;
}

describe.each(ENGINES)('on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService;
  let judge: Judge;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const url = database.location.databaseUrl;
    service = await testService({
      PUBLIC_MONTHLY_LIMIT: '20',
      PLAN_LIMIT_FREE: '20',
      LOG_LEVEL: 'error',
      // No source answers there: VINs that the catalog does not know stay pending.
      ENRICHMENT_VPIC_URL: 'http://127.0.0.1:9/api',
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    });
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await database.remove();
  });

  async function credentials(): Promise<Record<string, string>[]> {
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const { id: workspaceId } = await service.database.kysely
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', 'business')
      .executeTakeFirstOrThrow();
    const revoked = await createKey(deps, { workspaceId, name: 'revoked' }, 'cli:test');
    await revokeKey(deps, revoked.id, 'cli:test');
    return [
      {},
      { 'x-api-key': revoked.key },
      { authorization: `Bearer ${(await createKey(deps, { workspaceId, name: 'second' }, 'cli:test')).key}` },
    ];
  }

  test(
    'every answer is as described, and exactly the delivered decodes are charged, for any requests',
    { timeout: 60_000 + MOST_ROUNDS * REQUESTS * 60 },
    async () => {
      const keys = [
        await service.keyFor('free'),
        await service.keyFor('starter', { kind: 'fixed', limit: 40 }),
        await service.keyFor('business', { kind: 'none' }),
        await service.keyFor('enterprise'),
      ];
      const described = await contractOf(service.app);
      // Jobs are charged after the answer: their own tests compare charges and results.
      const operations = described.operations.filter(({ path }) => !path.startsWith('/api/jobs'));
      const contract = { ...described, operations };
      judge = judgeOf(contract);
      const callers = [...(await credentials()), ...keys.map((key) => ({ 'x-api-key': key }))];
      const delivered = new Set<string>();
      const seen = new Map<string, number>();
      const send = async (request: DrawnRequest): Promise<void> => {
        const { operationId, method, url, headers, payload } = request;
        const answer = await service.app.inject({
          method,
          url,
          // The bodies read here must not be compressed.
          headers: { ...headers, 'accept-encoding': 'identity' },
          ...(payload === undefined ? {} : { payload }),
        });
        expect(judge(operationId, answer), `${method} ${url.slice(0, 200)}`).toEqual([]);
        for (const id of deliveredIn(request, answer)) delivered.add(id);
        const name = `${operationId} ${answer.statusCode}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
      };
      const drawn = fc.array(requestsOf(contract, callers), { minLength: AT_ONCE, maxLength: AT_ONCE });
      const property = fc.asyncProperty(drawn, async (requests) => {
        await Promise.all(requests.map(send));
        expect(await service.charged()).toBe(delivered.size);
      });
      const wanted = [...contract.operations.map(({ operationId }) => `${operationId} 200`), ...OUTCOMES];
      const missing = (): string[] => wanted.filter((name) => !seen.has(name));
      // Requests build on those before: a smaller example would be another sequence. Rare answers may take more of
      // them.
      for (let round = 0; round === 0 || (missing().length > 0 && round < MOST_ROUNDS); round += 1) {
        await fc.assert(property, {
          seed: SEED + round,
          numRuns: Math.ceil(REQUESTS / AT_ONCE),
          endOnFailure: true,
        });
      }
      const counts = [...seen].map(([name, count]) => `${name}: ${count}`).toSorted((a, b) => a.localeCompare(b));
      process.stdout.write(`${engine}, seed ${SEED}, ${delivered.size} charged\n  ${counts.join('\n  ')}\n`);
      expect(missing()).toEqual([]);
      expect((await verifyUsage(service.database)).disagreements).toEqual([]);
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );
});
