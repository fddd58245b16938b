import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';

import {
  findKeys,
  type Access,
  type ApiKey,
  authenticate,
  recheckKey,
  type Subscriber,
  subscriberOf,
  subjectOf,
  tenantOf,
} from '../workspaces/index.ts';
import type { ActDeps } from '../kernel/audit/index.ts';
import { busyError, textOf } from '../kernel/http/errors.ts';
import { onceOver } from '../kernel/http/exchanges.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { answerOf, errorAnswers, KEY_NEEDED } from '../kernel/http/schemas.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import { type LoopTurns, type NextTurn, withinTime } from '../kernel/limits/loop-turns.ts';
import type { Meter } from './meter.ts';
import { usageReport, type KeyUsage, type MonthUsage } from './report.ts';
import { UsageResponse } from './schemas.ts';
import { isoDay } from '../kernel/clock.ts';

/** Answers that are made at once, and those that wait, each with a place among the requests in progress. */
const ANSWERS: FairBounds = { all: 4, reserved: 1, perTenant: 2, waiting: 100, waitingPerTenant: 20, waitMs: 8_000 };

/** Milliseconds that all turns of an answer may take: connections on which nothing moves are closed after 30,000. */
const MOST_MS = 20_000;

/** The dependencies of `GET /api/usage`. */
export interface UsageParts extends ActDeps {
  access: Pick<Access, 'identify' | 'refusalOf'>;
  meter: Pick<Meter, 'peek'>;
  turns: Pick<LoopTurns, 'next'>;
}

/** Adds `GET /api/usage`: the usage of a key's workspace, free of charge. Needs the schema `UsageInfo`. */
export function addUsage(app: FastifyInstance, deps: UsageParts): void {
  app.addSchema(UsageResponse);
  const queue = new FairQueue(ANSWERS);
  app.get('/api/usage', { onRequest: authenticate(deps.access), schema: DESCRIPTION }, async (request, reply) => {
    const need = 'Send an API key: usage is available only with a key of the workspace.';
    const caller = subscriberOf(request, need);
    const gone = new AbortController();
    onceOver({ request: request.raw, response: reply.raw }, () => gone.abort(new HttpError(400, textOf(400))));
    const entered = await queue.enter(tenantOf(caller), gone.signal);
    if (entered.kind === 'refused') throw busyError();
    let text: string;
    try {
      // Of a hundred keys, a year has tens of thousands of rows.
      const next = (): Promise<void> => deps.turns.next(tenantOf(caller), gone.signal);
      const turn = withinTime(next, MOST_MS, busyError, () => performance.now());
      text = await usageText(deps, caller, turn);
    } finally {
      entered.leave();
    }
    // Its turns may have taken many seconds.
    await recheckKey(deps.access, request);
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/** Makes the answer in turns. */
async function usageText(deps: UsageParts, caller: Subscriber, turn: NextTurn): Promise<string> {
  const months = await usageReport(deps.database, subjectOf(caller), deps.clock(), turn);
  const usage = await deps.meter.peek(caller);
  const ids = months.flatMap(({ keys }) => keys.map(({ keyId }) => keyId));
  const known = await findKeys(deps.database, caller.workspaceId, ids, turn);
  const left = { limit: usage.limit, remaining: usage.remaining, resetAt: new Date(usage.resetAtMs).toISOString() };
  const texts: string[] = [];
  for (const month of months) {
    await turn();
    texts.push(JSON.stringify(monthAnswer(month, known)));
  }
  return `{"usage":${JSON.stringify(left)},"months":[${texts.join(',')}]}`;
}

function monthAnswer(
  { startMs, charged, days, keys }: MonthUsage,
  known: ReadonlyMap<string, ApiKey>,
): Static<typeof UsageResponse>['months'][number] {
  return {
    month: isoDay(startMs).slice(0, 7),
    charged,
    days: days.map((day) => ({ day: isoDay(day.dayStartMs), charged: day.charged })),
    keys: keys
      .toSorted((a, b) => b.charged - a.charged || (a.keyId < b.keyId ? -1 : 1))
      .map((key) => keyAnswer(key, known.get(key.keyId))),
  };
}

function keyAnswer({ keyId, charged }: KeyUsage, key: ApiKey | undefined) {
  return { id: keyId, name: key?.name ?? '', key: key === undefined ? '' : `${key.prefix}…${key.last4}`, charged };
}

const DESCRIPTION = {
  tags: ['usage'],
  operationId: 'usage',
  summary: 'Get your usage.',
  description:
    'Returns what is left this month, and the charged decodes of the last twelve months by day and by key. With a test key, returns the usage of your test keys. Free.',
  security: [{ apiKey: [] }, { bearer: [] }],
  response: {
    200: answerOf('UsageResponse', 'The usage.'),
    ...errorAnswers({ 401: KEY_NEEDED }, [500, 503]),
  },
};
