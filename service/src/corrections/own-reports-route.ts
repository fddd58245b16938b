import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';

import type { Access } from '../workspaces/index.ts';
import { authenticate, subscriberOf } from '../workspaces/authenticate.ts';
import { answerOf, errorAnswers } from '../kernel/http/schemas.ts';
import { OwnReportsQuery, OwnReportsResponse } from './schemas.ts';
import type { Corrections } from './open.ts';
import type { ReportSummary } from './types.ts';

const PAGE = 50;
const MOST = 200;

/** What the list of one's own reports needs. */
export interface OwnReportsDeps {
  access: Pick<Access, 'identify'>;
  corrections: Pick<Corrections, 'ownReports'>;
}

/** Adds `GET /api/reports`: a workspace's own reports with their states. */
export function addOwnReports(app: FastifyInstance, deps: OwnReportsDeps): void {
  app.addSchema(OwnReportsResponse);
  app.get<{ Querystring: Static<typeof OwnReportsQuery> }>(
    '/api/reports',
    { onRequest: authenticate(deps.access), config: { etag: true }, schema: DESCRIPTION },
    async (request, reply) => {
      const need = 'Send an API key: reports are listed for the workspace that sent them.';
      const caller = subscriberOf(request, need);
      const limit = Math.min(Number(request.query.limit ?? PAGE), MOST);
      const { after } = request.query;
      // One more than the page, to see whether there is another one.
      const page = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
      const reports = await deps.corrections.ownReports(caller.workspaceId, page);
      const shown = reports.slice(0, limit);
      const next = reports.length > limit ? (shown.at(-1)?.id ?? null) : null;
      return reply.send({ reports: shown.map(toAnswer), next });
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

const DESCRIPTION = {
  tags: ['corrections'],
  operationId: 'listReports',
  summary: 'List your reports.',
  description: 'Newest first, with the state of each. Free.',
  security: [{ apiKey: [] }, { bearer: [] }],
  querystring: OwnReportsQuery,
  response: {
    200: answerOf('OwnReportsResponse', 'A page of reports.'),
    ...errorAnswers({
      400: 'A query parameter is not valid.',
      401: 'The key is missing, invalid, or inactive.',
      500: 'The service failed.',
      503: 'Too busy. Try again after Retry-After seconds.',
    }),
  },
};
