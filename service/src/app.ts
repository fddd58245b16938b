import type { IncomingHttpHeaders } from 'node:http';

import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';

import {
  type Access,
  networkReader,
  proxyReader,
  shedLoad,
  boundPipelining,
  boundPieces,
  boundBodies,
  boundConnections,
  CutNetworks,
  type PayingNetworks,
  boundUnread,
  decorateCaller,
  refuseEndedKeys,
  workspaceHoldings,
} from './workspaces/index.ts';
import { TransferLimits } from './files/index.ts';
import { readdressReports } from './corrections/index.ts';
import { CandidateSearches, Suggestions, answerErrors, VpicPaths } from './decode/index.ts';
import { answerUnknownPaths } from './site/index.ts';
import type { RequestLog } from './requests/index.ts';
import type { People } from './people/index.ts';
import { webhookReference } from './webhooks/index.ts';
import { apiHeaders, keepBrowsersSafe, plainAddress, safetyHeaders } from './kernel/http/browser-safety.ts';
import { answerBrokenPath, answerBrokenRequest, refuseBadHeads } from './kernel/http/connection-errors.ts';
import { answerAfterBodies } from './kernel/http/early-answers.ts';
import { drainConnections, type Stopping } from './kernel/http/draining.ts';
import { compressAnswers, makeNothingForHead } from './kernel/http/encodings.ts';
import { tagAnswers } from './kernel/http/etag.ts';
import { openAnswers } from './kernel/http/exchanges.ts';
import { reportHealth } from './kernel/http/health.ts';
import { readJsonBodies } from './kernel/http/json-body.ts';
import { withLazyChildren } from './kernel/http/lazy-log.ts';
import { SERVER_LIMITS, SOCKET_LIMITS } from './kernel/http/limits.ts';
import { describeRoutes } from './kernel/http/reference.ts';
import { logRequests } from './kernel/http/log.ts';
import { sharedSerializers, sharedValidators } from './kernel/http/compilers.ts';
import { unpackBodies } from './kernel/http/unpacking.ts';
import { LoopTurns } from './kernel/limits/loop-turns.ts';
import type { Metrics } from './kernel/telemetry/metrics.ts';
import { addPages } from './pages.ts';
import { type Parts, QUEUES, SLICES } from './slices.ts';
import type { Tracing } from './kernel/telemetry/tracing.ts';

/** All that the service needs from outside itself. */
interface Deps extends Omit<
  Parts,
  keyof People | 'networkOf' | 'suggestions' | 'transfers' | 'turns' | 'searches' | 'queues' | 'holdings'
> {
  people: People;
  access: Pick<Access, 'identify' | 'knownWorkspace' | 'refusalOf'>;
  /** Undefined: they are not served. */
  metrics: Pick<Metrics, 'watch' | 'countShed'> | undefined;
  /** Undefined: nothing is traced. */
  tracing: Pick<Tracing, 'watch' | 'fieldsOf'> | undefined;
  requestLog: Pick<RequestLog, 'watch'>;
  paying: PayingNetworks;
  log: FastifyBaseLogger;
  /** Turns balancers away before the service begins to close. */
  stopping: Stopping;
}

/** Builds the whole service, not yet listening. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const vpicPaths = new VpicPaths();
  const app = fastify({
    ...SERVER_LIMITS,
    http: SOCKET_LIMITS,
    loggerInstance: withLazyChildren(deps.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: deps.newId,
    rewriteUrl: ({ url = '/' }) => vpicPaths.canonical(plainAddress(url)),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => answerBrokenPath(error, request.raw, reply.raw, config.baseUrl),
    schemaController: { compilersFactory: { buildSerializer: sharedSerializers, buildValidator: sharedValidators } },
    ajv: {
      customOptions: {
        // A number is not a VIN: a body of the wrong type is refused, not converted.
        coerceTypes: false,
        removeAdditional: false,
        // Names every field at fault. Bodies are small and no schema loops, so the work stays bounded.
        allErrors: true,
      },
    },
  });
  vpicPaths.watch(app);
  readJsonBodies(app);
  deps.tracing?.watch(app);
  logRequests(app, deps.tracing && ((request) => deps.tracing?.fieldsOf(request) ?? {}));
  deps.metrics?.watch(app);
  // Before compression, which hides the content of an answer.
  deps.requestLog.watch(app);
  deps.vitals.watch(app);
  app.setErrorHandler(answerErrors(deps.meter));
  keepBrowsersSafe(app, config);
  refuseBadHeads(app);
  answerUnknownPaths(app, deps.people.accounts);
  tagAnswers(app);
  makeNothingForHead(app);
  compressAnswers(app);
  unpackBodies(app);
  await describeRoutes(app, config, webhookReference());
  answerAfterBodies(app);
  drainConnections(app, deps.stopping);
  reportHealth(app, deps.fault, () => deps.stopping.begun);
  decorateCaller(app, config.headerBrand);
  boundRequests(app, deps);
  readPlainAddresses(app);
  const parts = partsOf(app, deps);
  for (const { routes } of SLICES) await routes?.(app, parts);
  await addPages(app, parts);
  return app;
}

/** Bounds the requests of each sender, and what all of them take. */
function boundRequests(app: FastifyInstance, deps: Deps): void {
  const { access, config, vitals, metrics, paying } = deps;
  const workspaceOf: Access['knownWorkspace'] = (keys) => access.knownWorkspace(keys);
  const networkOf = networkReader(config.trustProxy);
  const headers = { api: apiHeaders(config), other: safetyHeaders(config.baseUrl) };
  shedLoad(app, {
    workspaceOf,
    networkOf,
    holdBody: (request, bytes) => holdBody(request, bytes),
    headers,
    onShed: (kind) => {
      vitals.note('shed');
      metrics?.countShed(kind);
    },
  });
  // After the wait for a turn.
  refuseEndedKeys(app, access);
  const options = { planOf: (keys: IncomingHttpHeaders) => workspaceOf(keys)?.plan, networkOf, headers };
  boundPipelining(app, options);
  boundPieces(app, options);
  const answers = openAnswers(app);
  const holding = { networkOf, answers, cuts: new CutNetworks() };
  const holdBody = boundBodies(app, { ...options, ...holding });
  boundUnread(app, holding);
  boundConnections(app, { ...options, ...holding, paying, isProxy: proxyReader(config.trustProxy) });
}

/** Makes what decides on the kind of a request, before anything else, read its address as its route does. */
function readPlainAddresses(app: FastifyInstance): void {
  app.server.prependListener('request', (request) => {
    request.url = plainAddress(request.url ?? '/');
  });
}

/** Returns the dependencies of routes and pages. */
function partsOf(app: FastifyInstance, deps: Deps): Parts {
  const { people, config } = deps;
  const holdings = workspaceHoldings({ ...deps, secret: people.secret });
  const turns = new LoopTurns();
  return {
    ...deps,
    ...people,
    queues: QUEUES,
    holdings: {
      ...holdings,
      readdress: async (act, from, to) => {
        await holdings.readdress(act, from, to);
        await readdressReports(act, from, to);
      },
    },
    networkOf: networkReader(config.trustProxy),
    suggestions: new Suggestions(deps),
    searches: new CandidateSearches({ ...deps, turns }),
    turns,
    transfers: closedWith(app, new TransferLimits(deps, turns)),
  };
}

function closedWith<Part extends { close: () => Promise<void> }>(app: FastifyInstance, part: Part): Part {
  app.addHook('onClose', () => part.close());
  return part;
}
