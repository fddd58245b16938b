import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Provider, startProvider } from '../enrichment/testing/provider.ts';
import { systemClock } from '../kernel/clock.ts';
import { monthOf } from '../kernel/db/month.ts';
import { Meter, verifyUsage } from '../metering/index.ts';
import { TEST_VINS } from '../metering/test-keys.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { testService, type TestService } from '../testing/service.ts';
import { unknownVin } from '../testing/vins.ts';
import { createKey, createWorkspace, type LimitChoice, systemRandom } from '../workspaces/index.ts';
import { TRANSPORTS, type Fate, type Place } from './testing/transports.ts';

const ACCORD = '1HGCM82633A004352';
const GOLF = 'WVWZZZ1KZCW000001';
const OVERLOADED = { kind: 'overloaded', retryAfterSeconds: 1 } as const;

type FaceName = keyof typeof TRANSPORTS;

/** The places of usage in each interface: NHTSA's bodies are fixed, and MCP has no headers of its own. */
const TELLS: Record<FaceName, Place[]> = {
  api: ['body', 'headers'],
  batch: ['body', 'headers'],
  candidates: ['body', 'headers'],
  vpic: ['headers'],
  mcp: ['body'],
  files: ['body'],
};

/** The expected outcome of a request. */
interface Expected {
  fates: Fate[];
  /** The final number in the ledger. */
  charged: number;
  /** The remaining decodes in the answer; otherwise the limit without the charges. */
  remaining?: number;
  /** The places of usage in the answer; otherwise those of its interface. */
  tells?: Place[];
}

/** One request, sent over each transport by a workspace of its own. */
interface Case extends Expected {
  what: string;
  vins: string[];
  limit: number | null;
  mode?: 'test';
  /** The number of times it is sent, with the same Idempotency-Key. */
  sent?: number;
  /** Decodes that are charged before. */
  before?: number;
  /** The number of charges in a row that find the meter overloaded. */
  overloads?: number;
  /** Differences of an interface. */
  except?: Partial<Record<FaceName, Partial<Expected> & { isReplay?: boolean }>>;
}

const CASES: Case[] = [
  { what: 'is granted', vins: [ACCORD, GOLF], limit: 5, fates: ['decoded', 'decoded'], charged: 2 },
  { what: 'has no limit', vins: [ACCORD, GOLF], limit: null, fates: ['decoded', 'decoded'], charged: 2 },
  { what: 'is exhausted in the middle', vins: [ACCORD, GOLF], limit: 1, fates: ['decoded', 'limit'], charged: 1 },
  {
    what: 'is exhausted before',
    vins: [GOLF],
    limit: 1,
    before: 1,
    fates: ['limit'],
    charged: 1,
    except: { vpic: { tells: ['body', 'headers'] } },
  },
  { what: 'is malformed in part', vins: [ACCORD, 'X'.repeat(18)], limit: 5, fates: ['decoded', 'invalid'], charged: 1 },
  {
    what: 'is looked up outside',
    vins: [unknownVin(1), ACCORD],
    limit: 5,
    fates: ['pending', 'decoded'],
    charged: 1,
    // These answer from the tables, regardless of any source.
    except: {
      candidates: { fates: ['decoded', 'decoded'], charged: 2 },
      vpic: { fates: ['decoded', 'decoded'], charged: 2 },
    },
  },
  {
    what: 'repeats a VIN',
    vins: [ACCORD, ACCORD],
    limit: 5,
    fates: ['decoded', 'decoded'],
    charged: 2,
    except: { candidates: { charged: 1 } },
  },
  {
    what: 'comes again with its Idempotency-Key',
    vins: [ACCORD],
    limit: 5,
    sent: 2,
    fates: ['decoded'],
    charged: 1,
    except: {
      api: { isReplay: true },
      batch: { isReplay: true },
      files: { isReplay: true },
      // Neither protocol has such keys.
      vpic: { charged: 2 },
      mcp: { charged: 2 },
    },
  },
  {
    what: 'comes with a test key',
    vins: [ACCORD, TEST_VINS.exhausted],
    limit: 5,
    mode: 'test',
    fates: ['decoded', 'limit'],
    charged: 1,
    remaining: 0,
    // The usage is asked for afterwards.
    except: { files: { remaining: 4 } },
  },
  {
    what: 'finds the meter overloaded',
    vins: [ACCORD],
    limit: 5,
    overloads: 1,
    fates: ['overloaded'],
    charged: 0,
    tells: [],
    // Nobody waits for its answer: it tries again.
    except: { files: { fates: ['decoded'], charged: 1, tells: TELLS.files } },
  },
];

const FACE_NAMES = ['api', 'batch', 'candidates', 'vpic', 'mcp', 'files'] as const satisfies FaceName[];
const TABLE = CASES.flatMap((request) => FACE_NAMES.map((name) => ({ name, request })));

describe.each(ENGINES)('on %s, a request that', (engine) => {
  let provider: Provider;
  let database: TestDatabase;
  let service: TestService;
  let workspaces = 0;

  beforeAll(async () => {
    provider = await startProvider();
    // It never answers: look-ups stay pending.
    provider.treat(() => {});
    database = await freshDatabase(engine);
    const { databaseUrl } = database.location;
    service = await testService({
      ENRICHMENT_VPIC_URL: provider.url,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await database.remove();
  });

  afterEach(() => void vi.restoreAllMocks());

  async function newClient({ limit, mode }: Case) {
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const choice: LimitChoice = limit === null ? { kind: 'none' } : { kind: 'fixed', limit };
    const wanted = { slug: `transports-${++workspaces}`, plan: 'business', limit: choice } as const;
    const created = await createWorkspace(deps, wanted, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    const { id: workspaceId } = created.workspace;
    const { key } = await createKey(deps, { workspaceId, name: 'test', ...(mode && { mode }) }, 'cli:test');
    return { client: { service, key }, subject: `${mode ?? 'workspace'}:${workspaceId}` };
  }

  async function chargedTo(subject: string): Promise<number> {
    const rows = await service.database.kysely
      .selectFrom('usage_ledger')
      .select('charged')
      .where('subject', '=', subject)
      .execute();
    return rows.reduce((sum, { charged }) => sum + charged, 0);
  }

  test.each(TABLE)('$request.what over $name', async ({ name, request }) => {
    const special = request.except?.[name];
    const {
      vins,
      sent = 1,
      limit,
      before = 0,
      overloads = 0,
      isReplay = false,
      tells,
      ...expected
    } = { ...request, ...special };
    const { client, subject } = await newClient(request);
    for (let made = 0; made < before; made++) await TRANSPORTS.api(client, [ACCORD]);
    const charge = vi.spyOn(Meter.prototype, 'charge');
    for (let refused = 0; refused < overloads; refused++) charge.mockResolvedValueOnce(OVERLOADED);

    const seen = [];
    for (let time = 0; time < sent; time++) {
      seen.push(await TRANSPORTS[name]({ ...client, idempotencyKey: sent > 1 ? `once-${subject}` : undefined }, vins));
    }

    for (const { fates } of seen) expect(fates).toEqual(expected.fates);
    expect(await chargedTo(subject)).toBe(expected.charged);
    const remaining = expected.remaining ?? (limit === null ? null : limit - expected.charged);
    const usage = { limit, remaining, resetAtMs: monthOf(systemClock()).endMs };
    const told = Object.fromEntries((tells ?? TELLS[name]).map((place) => [place, usage]));
    expect(seen.at(-1)).toMatchObject({ told, isReplay });
    expect(Object.keys(seen.at(-1)?.told ?? {})).toHaveLength(Object.keys(told).length);
  });

  test('leave counter, ledger and stored decodes in agreement', async () => {
    expect((await verifyUsage(service.database)).disagreements).toEqual([]);
  });
});
