import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import { type Clock, DAY_MS } from '../kernel/clock.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../kernel/limits/token-buckets.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import { busyError } from '../kernel/http/errors.ts';
import { onceOver } from '../kernel/http/exchanges.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { answerOf, errorAnswers, KEY_NEEDED, textField } from '../kernel/http/schemas.ts';
import {
  busyAnswer,
  type Idempotency,
  type IdempotencyRefusal,
  type IdempotentCharge,
  idempotencyKeyHeader,
  idempotencyRefusal,
  markReplay,
  REPLAY_HEADER,
  withIdempotency,
} from '../metering/index.ts';
import {
  subjectOf,
  authenticate,
  callerOf,
  recheckKey,
  subscriberOf,
  tenantOf,
  type Access,
  type Caller,
} from '../workspaces/index.ts';
import { pageOf } from '../kernel/lists.ts';
import { faultsInFurther } from './fields.ts';
import { type Corrections, textOfReport } from './open.ts';
import { OwnReportsQuery, OwnReportsResponse, ReportDecodeIssueRequest, ReportDecodeIssueResponse } from './schemas.ts';
import type { QueueFull, Reporter, ReportSummary, Submission } from './types.ts';

/** The dependencies of the routes and pages of corrections. */
export interface ReportParts {
  access: Pick<Access, 'identify' | 'refusalOf'>;
  corrections: Corrections;
  idempotency: Pick<Idempotency, 'begin' | 'forget'>;
  clock: Clock;
  rateLimit: OpenRateLimit;
}

/** Room for the largest report with every character of its texts escaped. */
const BODY_LIMIT = 131_072;

/** A client may send the reports of a whole day at once. */
const BURST = 200;

/** Without a key, the burst is a whole day's: reports from one address stay a queue that a person can read. */
const PUBLIC_REPORTS: BurstLimit = { burst: BURST, refillMs: DAY_MS / BURST };

const SUBSCRIBER_REPORTS: BurstLimit = { burst: BURST, refillMs: 1_000 };

/** Opens the limits of reports. */
export const reportLimits = (open: OpenRateLimit): Readonly<Record<'public' | 'subscriber', RateLimiter>> => ({
  public: open('reports of the public', PUBLIC_REPORTS),
  subscriber: open('reports of subscribers', SUBSCRIBER_REPORTS),
});

/** The report is stored under this id; `isReplay`: it was before. */
type Saved = { kind: 'saved'; id: string; isReplay: boolean };

type Body = Static<typeof ReportDecodeIssueRequest>;

/** Adds `POST /api/report-decode-issue`. */
export function addReportDecodeIssue(app: FastifyInstance, deps: ReportParts): void {
  app.addSchema(ReportDecodeIssueRequest);
  app.addSchema(ReportDecodeIssueResponse);
  const limits = reportLimits(deps.rateLimit);
  app.post<{ Body: Body }>(
    '/api/report-decode-issue',
    { onRequest: authenticate(deps.access), bodyLimit: BODY_LIMIT, schema: REPORT },
    async (request, reply) => {
      const caller = callerOf(request);
      const fault = faultInActualReport(request.body.actualReport);
      if (fault !== undefined) throw new HttpError(400, fault);
      const [unfit] = faultsInFurther(request.body.expectedFields ?? {});
      if (unfit !== undefined) throw new HttpError(400, unfit);
      const report = knownFields(request.body);
      const outcome = await withIdempotency<Saved | IdempotencyRefusal>(
        deps.idempotency,
        {
          scope: `report:${subjectOf(caller)}`,
          key: request.headers['idempotency-key']?.toString(),
          body: textOfReport(report),
          isSame: ({ outcome: id }) => deps.corrections.hasClaim(id, report.claim),
        },
        (recordOf) => submit(deps, limits, caller, report, recordOf),
        ({ outcome: id }) => ({ kind: 'saved', id, isReplay: true }),
      );
      if (outcome.kind !== 'saved') throw idempotencyRefusal(outcome);
      if (outcome.isReplay) markReplay(reply);
      reply.header('x-report-id', outcome.id);
      return reply.send({ saved: true, source: caller.kind });
    },
  );
}

async function submit(
  { corrections, clock }: ReportParts,
  limits: ReturnType<typeof reportLimits>,
  caller: Caller,
  report: ReturnType<typeof knownFields>,
  recordOf?: (outcome: string) => IdempotentCharge,
): Promise<Saved | IdempotencyRefusal> {
  const reporter = reporterOf(caller);
  if (reporter.kind === 'public') await refuseStorms(limits.public, reporter.clientId, clock());
  else await refuseStorms(limits.subscriber, subjectOf(caller), clock());
  const stored = { reporter, source: caller.kind, ...report };
  const idempotency = recordOf && { scope: `report:${subjectOf(caller)}`, recordOf };
  const outcome = await corrections.submit(idempotency === undefined ? stored : { ...stored, idempotency });
  if (outcome.kind === 'full') throw queueFull(outcome);
  return outcome.kind === 'saved' ? { ...outcome, isReplay: false } : { kind: 'under-way' };
}

/** Returns the refusal of a report while too many wait. */
export function queueFull({ queued, whose }: QueueFull): HttpError {
  const text =
    whose === 'own'
      ? `You already have ${queued} reports waiting for review. Send more after some have been reviewed.`
      : `${queued} reports are waiting for review, too many to take another one without a paid plan. Send it after some have been reviewed.`;
  return new HttpError(429, text, { 'retry-after': '3600' });
}

/** Returns the stored part of a body: unlisted fields are ignored. */
function knownFields({ actualReport = null, ...body }: Body): Pick<Submission, 'claim' | 'actualReport'> {
  const { vin, expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear, note } = body;
  const { expectedFields: further = {} } = body;
  const expected = { expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear };
  return {
    claim: { vin, ...expected, ...(Object.keys(further).length > 0 && { expectedFields: further }), note },
    actualReport,
  };
}

function reporterOf(caller: Caller): Reporter {
  return caller.kind === 'subscriber'
    ? { kind: 'workspace', workspaceId: caller.workspaceId, keyId: caller.keyId }
    : publicReporter(caller);
}

/** Returns the reporter without a key: what is stored counts for all of an IPv6 /48. */
export function publicReporter({ clientId, wideClientId = clientId }: Extract<Caller, { kind: 'public' }>) {
  return { kind: 'public', clientId: wideClientId } as const;
}

/** Refuses a client that sends too many reports in a short time. */
export async function refuseStorms(limit: RateLimiter, client: string, nowMs: number): Promise<void> {
  const seconds = await limit.take(client, nowMs);
  if (seconds === 0) return;
  throw new HttpError(429, 'Too many reports in a short time. Try again in a moment.', {
    'retry-after': String(seconds),
  });
}

const REPORT = {
  tags: ['corrections'],
  operationId: 'reportDecodeIssue',
  summary: 'Report a wrong decode.',
  description:
    'Queues the report for review. Write `unknown` in a field that you do not know. Once it is accepted, the VIN is decoded with the correction. With a key, the report belongs to your workspace, and `GET /api/reports` shows its state. Free.',
  security: [{}, { apiKey: [] }, { bearer: [] }],
  headers: idempotencyKeyHeader('the report is stored once'),
  body: Type.Unsafe<object>({ $ref: 'ReportDecodeIssueRequest#' }),
  response: {
    200: answerOf('ReportDecodeIssueResponse', 'The report is stored.', {
      'X-Report-Id': textField('ID of the report. With a key, `GET /api/reports` shows its state.'),
      ...REPLAY_HEADER,
    }),
    429: busyAnswer(
      'Too many reports in a short time, or too many waiting for review. Try again after Retry-After seconds.',
    ),
    ...errorAnswers(
      {
        400: 'The body is not JSON, or fields are missing, blank, or too long. The message names each of them.',
        422: 'The Idempotency-Key was used for a different report.',
      },
      [401, 409, 413, 415, 500, 503],
    ),
  },
};

/** Ten times what an honest report needs. */
const MAX_BYTES = 65_536;

/** Deeper than any report; far from what would exhaust a stack. */
const MAX_DEPTH = 32;

/** Returns the fault of a report that a client claims to have got; undefined: none. */
function faultInActualReport(report: object | null | undefined): string | undefined {
  if (report === null || report === undefined) return undefined;
  // Depth first: writing a value of any depth as JSON needs a stack of that depth.
  if (isDeeperThan(report, MAX_DEPTH)) return `actualReport is nested deeper than ${MAX_DEPTH} levels.`;
  if (Buffer.byteLength(JSON.stringify(report)) > MAX_BYTES) {
    return `actualReport is larger than ${MAX_BYTES} bytes of JSON.`;
  }
  return undefined;
}

function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const PAGE = 50;
const MOST = 200;
const OWN_PAGE = { $ref: 'OwnReportsResponse#' };

/** Pages of reports are made one after the other: with long texts, each takes some milliseconds of the event loop. */
const PAGES: FairBounds = { all: 1, perTenant: 1, waiting: 250, waitingPerTenant: 50, waitMs: 10_000 };
/** The pause after a page, by the time that it took, and the longest one: its answer is sent then, too. */
const REST = { times: 3, mostMs: 100 };

/** Adds `GET /api/reports`: a workspace's own reports with their states. */
export function addOwnReports(app: FastifyInstance, deps: ReportParts): void {
  app.addSchema(OwnReportsResponse);
  const queue = new FairQueue(PAGES);
  app.get<{ Querystring: Static<typeof OwnReportsQuery> }>(
    '/api/reports',
    { onRequest: authenticate(deps.access), config: { etag: true }, schema: OWN_REPORTS },
    async (request, reply) => {
      const need = 'Send an API key: reports are listed for the workspace that sent them.';
      const caller = subscriberOf(request, need);
      const limit = Math.min(Number(request.query.limit ?? PAGE), MOST);
      const { after } = request.query;
      const write = reply.compileSerializationSchema(OWN_PAGE);
      const gone = new AbortController();
      onceOver({ request: request.raw, response: reply.raw }, () => gone.abort());
      const entered = await queue.enter(tenantOf(caller), gone.signal);
      if (entered.kind === 'refused') {
        throw busyError();
      }
      await nextTurn();
      const beganMs = performance.now();
      let text: string;
      try {
        await recheckKey(deps.access, request);
        const reports = await deps.corrections.ownReports(caller.workspaceId, {
          limit: limit + 1,
          after,
          // As everywhere, a test key sees the acts of test keys, and nothing of the workspace's own.
          byTestKeys: caller.isTest === true,
        });
        const { page: shown, last } = pageOf(reports, limit);
        text = write({ reports: shown.map(toAnswer), next: last?.id ?? null });
      } finally {
        setTimeout(entered.leave, Math.min(REST.mostMs, REST.times * (performance.now() - beganMs)));
      }
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );
}

function toAnswer({ id, claim, source, state, reason, createdAtMs, decidedAtMs }: ReportSummary) {
  return {
    id,
    ...claim,
    source,
    state,
    reason: reason === '' ? null : reason,
    createdAt: new Date(createdAtMs).toISOString(),
    decidedAt: decidedAtMs === null ? null : new Date(decidedAtMs).toISOString(),
  };
}

const OWN_REPORTS = {
  tags: ['corrections'],
  operationId: 'listReports',
  summary: 'List your reports.',
  description: 'Newest first, with the state of each. Free.',
  security: [{ apiKey: [] }, { bearer: [] }],
  querystring: OwnReportsQuery,
  response: {
    200: answerOf('OwnReportsResponse', 'A page of reports.'),
    ...errorAnswers({ 400: 'A query parameter is not valid.', 401: KEY_NEEDED }, [500, 503]),
  },
};
