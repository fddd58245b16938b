import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';

import type { Access } from './features/access/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { CorrectedDecoder, Corrections } from './features/corrections/index.ts';
import { addOwnReports } from './features/corrections/own-reports-route.ts';
import { addJobs } from './features/files/api/route.ts';
import { addReportDecodeIssue } from './features/corrections/route.ts';
import type { Database } from './platform/db/index.ts';
import { addBatch } from './features/decode/batch/route.ts';
import { addCandidates } from './features/decode/candidates/route.ts';
import { addCatalog } from './features/decode/catalog.ts';
import { addVinCheck } from './features/decode/check.ts';
import { compiledAt } from './features/decode/open-catalog.ts';
import { addDecode } from './features/decode/route.ts';
import { Suggestions } from './features/decode/suggestions.ts';
import type { Billing } from './features/billing/billing.ts';
import type { Enrichment } from './features/enrichment/index.ts';
import { networkReader } from './features/access/address.ts';
import { shedLoad } from './features/access/admission.ts';
import { apiHeaders, keepBrowsersSafe } from './platform/http/browser-safety.ts';
import { decorateCaller } from './features/access/authenticate.ts';
import { answerBrokenPath, answerBrokenRequest } from './platform/http/connection-errors.ts';
import type { OpenRateLimit } from './platform/http/burst.ts';
import { drainConnections, type Stopping } from './platform/http/draining.ts';
import { speakEncodings } from './platform/http/encodings.ts';
import { answerError } from './platform/http/errors.ts';
import { tagAnswers } from './platform/http/etag.ts';
import { reportHealth } from './platform/http/health.ts';
import { readJsonBodies } from './platform/http/json-body.ts';
import { withLazyChildren } from './platform/http/lazy-log.ts';
import { SERVER_LIMITS, SOCKET_LIMITS } from './platform/http/limits.ts';
import { answerUnknownPaths } from './pages/not-found.ts';
import { describeRoutes } from './platform/http/reference.ts';
import { logRequests } from './platform/http/request-log.ts';
import { sharedSerializers, sharedValidators } from './platform/http/compilers.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { People } from './people.ts';
import { addPages } from './pages/routes.ts';
import type { Tracing } from './platform/tracing/tracing.ts';
import type { Idempotency, Meter } from './features/usage/index.ts';
import { addUsage } from './features/usage/route.ts';
import { addMcp } from './mcp/route.ts';
import { canonicalUrl } from './vpic/paths.ts';
import { addVpic } from './vpic/routes.ts';
import { sandboxEnrichment } from './features/sandbox/index.ts';
import { webhookReference } from './features/webhooks/reference.ts';
import type { WebhookParts } from './features/webhooks/index.ts';

/** All that the service needs from outside itself. */
export interface Deps {
  config: Config;
  database: Database;
  clock: Clock;
  decoder: CorrectedDecoder;
  corrections: Corrections;
  access: Pick<Access, 'identify' | 'knownPlan'>;
  meter: Pick<Meter, 'charge' | 'chargeMany' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'decodeOf'>;
  /** The stored reports of these ids, as JSON, by id. */
  storedReports: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Undefined: no source is configured. */
  enrichment: Enrichment | undefined;
  webhooks: WebhookParts;
  /** The worker of files: woken when one has come in. */
  files: { wake: () => void };
  people: People;
  /** Undefined: plans are not paid for here. */
  billing: Billing | undefined;
  /** Undefined: they are not served. */
  metrics: Pick<Metrics, 'watch' | 'countShed'> | undefined;
  /** Undefined: nothing is traced. */
  tracing: Pick<Tracing, 'watch' | 'fieldsOf'> | undefined;
  log: FastifyBaseLogger;
  /** Opens a limit of how often clients do something. */
  rateLimit: OpenRateLimit;
  /** A new UUIDv7: the id of a request, and of the decode that is stored for it. */
  newId: () => string;
  /** Whether everything that a decode needs answers. */
  isReady: () => Promise<boolean>;
  /** Turns balancers away before the service begins to close. */
  stopping: Stopping;
}

/** Builds the whole service, not yet listening. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const app = fastify({
    ...SERVER_LIMITS,
    http: SOCKET_LIMITS,
    loggerInstance: withLazyChildren(deps.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: deps.newId,
    rewriteUrl: ({ url = '/' }) => canonicalUrl(url),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => answerBrokenPath(error, request.raw, reply.raw, config.baseUrl),
    schemaController: { compilersFactory: { buildSerializer: sharedSerializers, buildValidator: sharedValidators } },
    ajv: {
      customOptions: {
        // A number is not a VIN: the body must say what it means.
        coerceTypes: false,
        removeAdditional: false,
        // Names every field at fault. Bodies are small and no schema loops, so the work stays bounded.
        allErrors: true,
      },
    },
  });
  readJsonBodies(app);
  deps.tracing?.watch(app);
  logRequests(app, deps.tracing && ((request) => deps.tracing?.fieldsOf(request) ?? {}));
  deps.metrics?.watch(app);
  app.setErrorHandler(answerError);
  keepBrowsersSafe(app, config);
  answerUnknownPaths(app, deps.people.accounts);
  tagAnswers(app);
  await speakEncodings(app);
  await describeRoutes(app, config.baseUrl, webhookReference());
  drainConnections(app, deps.stopping);
  reportHealth(app, deps.isReady, () => deps.stopping.begun);
  decorateCaller(app);
  shedLoad(app, {
    planOf: (headers) => deps.access.knownPlan(headers),
    headers: apiHeaders(config),
    onShed: deps.metrics?.countShed,
  });
  const metered = { ...deps, enrichment: sandboxEnrichment(deps.enrichment), headerBrand: config.headerBrand };
  addDecode(app, metered);
  addBatch(app, metered);
  addJobs(app, deps);
  addCandidates(app, metered);
  addCatalog(app, { ...deps, compiledAtMs: compiledAt(config) });
  addVpic(app, metered);
  const suggestions = new Suggestions(deps);
  const networkOf = networkReader(config.trustProxy);
  addMcp(app, { ...metered, suggestions });
  addVinCheck(app, { suggestions, networkOf });
  addReportDecodeIssue(app, deps);
  addOwnReports(app, deps);
  addUsage(app, deps);
  await addPages(app, { ...deps, suggestions, networkOf });
  return app;
}
