import type { FastifyInstance, FastifyReply } from 'fastify';

import type { DecodePageDeps } from '../slice.ts';
import { decodeFor } from '../metered.ts';
import { subjectOf } from '../../metering/index.ts';
import { AnswerRegion, DecodeAnswer, DecodePartAnswer, type DecodeView, FaultText } from './decode-answer.tsx';
import { DecodeForm } from './decode-form.tsx';
import { canSuggest, viewOf } from './decode-view.ts';
import { formOf, wantsPart } from '../../kernel/ui/forms.ts';
import { sendPart } from '../../kernel/ui/html.tsx';
import { HttpError } from '../../kernel/http/http-error.ts';
import { callerOf, type PageRequest, workspaceRoutes } from '../../workspaces/pages/context.ts';
import { sendPortalPage } from '../../workspaces/pages/frame.tsx';

/** Adds the page where a member decodes one VIN for the workspace. */
export function addTry(scope: FastifyInstance, deps: DecodePageDeps): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/try', (page) => sendTry(page, (page.request.query['vin'] ?? '').slice(0, 64)));

  routes.post('/try', async (page) => {
    const { request, reply, context } = page;
    if (context.workspace.suspendedAtMs !== null) throw new HttpError(403, 'This workspace is suspended.');
    const text = (formOf(request).getAll('vin').at(-1) ?? '').slice(0, 64);
    const caller = callerOf(context);
    const began = performance.now();
    const outcome = await decodeFor(deps, caller, { text, id: request.id, idempotencyKey: undefined });
    const tookMs = performance.now() - began;
    const likely = canSuggest(outcome) ? await deps.suggestions.for(text, subjectOf(caller)) : [];
    const view = viewOf({ text, outcome, caller, likely, tookMs, decoder: deps.decoder });
    const { home } = context;
    if (wantsPart(request)) return sendPart(reply, <DecodePartAnswer view={view} page={`${home}/try`} home={home} />);
    // So that loading the answer again charges nothing.
    if (view.kind === 'report') return reply.redirect(`${home}/decodes/${view.id}`, 303);
    return sendTry(page, text, view);
  });
}

function sendTry(page: PageRequest, vin: string, view?: DecodeView): FastifyReply {
  const { home } = page.context;
  const action = `${home}/try`;
  return sendPortalPage(page, {
    tab: '/try',
    title: 'Try a VIN',
    scripts: ['plate.js'],
    runsWasm: true,
    children: (
      <>
        <DecodeForm
          action={action}
          vin={vin}
          fault={view === undefined ? null : <FaultText view={view} page={action} home={home} />}
          hint="Lower case, spaces, and hyphens are fine. Each decode counts toward this workspace's month."
        />
        <AnswerRegion>
          {view === undefined ? null : <DecodeAnswer view={view} page={action} home={home} />}
        </AnswerRegion>
      </>
    ),
  });
}
