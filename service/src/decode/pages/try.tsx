import { vinWithin } from '@marque/catalog/tables';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { countOpen } from '../searches/questions.ts';
import { depthOf } from '../depth.ts';
import { decodeFor, type DecodeOutcome } from '../metered.ts';
import { Questions } from './questions.tsx';
import { subjectOf, tenantOf } from '../../workspaces/index.ts';
import {
  activeOnly,
  callerOf,
  type PageRequest,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { AnswerRegion, DecodeAnswer, DecodePartAnswer, type DecodeView, FaultText } from './decode-answer.tsx';
import { DecodeForm } from './decode-form.tsx';
import { canSuggest, viewOf } from './decode-view.ts';
import { formOf, wantsPart } from '../../kernel/ui/forms.ts';
import { sendPart } from '../../kernel/ui/html.tsx';
import type { DecodeParts } from '../parts.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** Adds the page where a member decodes one VIN for the workspace. */
export function addTry(scope: FastifyInstance, deps: DecodeParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/try', (page) => sendTry(page, (page.request.query['vin'] ?? '').slice(0, 64)));

  routes.post('/try', async (page) => {
    const { request, reply, context } = page;
    activeOnly(context);
    const sent = formOf(request).getAll('vin').at(-1) ?? '';
    const text = (vinWithin(sent) ?? sent).slice(0, 64);
    const caller = callerOf(context);
    const began = performance.now();
    const outcome = await decodeFor(deps, caller, { text, id: request.id, idempotencyKey: undefined });
    const tookMs = performance.now() - began;
    const likely = canSuggest(outcome) ? await deps.suggestions.for(text, subjectOf(caller)) : [];
    const view = viewOf({ text, outcome, caller, likely, tookMs, decoder: deps.decoder });
    const { home } = context;
    if (wantsPart(request)) {
      const tools = await questionsFor(deps, page, outcome);
      return sendPart(reply, <DecodePartAnswer view={view} page={`${home}/try`} home={home} tools={tools} />);
    }
    // Loading the answer again must charge nothing.
    if (view.kind === 'report') return reply.redirect(`${home}/decodes/${view.id}`, 303);
    return sendTry(page, text, view);
  });
}

/**
 * Returns the VIN's open fields: answering leads to the page of the decode. Undefined: none, or the plan has no more.
 */
async function questionsFor(deps: DecodeParts & PageKit, { context }: PageRequest, outcome: DecodeOutcome) {
  const { workspace, home } = context;
  if (outcome.kind !== 'granted' || depthOf(workspace.plan) !== 'full') return undefined;
  const search = await deps.searches.narrow(tenantOf(callerOf(context)), outcome.answer.report(), {}, undefined);
  if (search.kind !== 'narrowed' || countOpen(search.narrowed) === 0) return undefined;
  const path = `${home}/decodes/${outcome.id}`;
  return <Questions path={path} target="#content" hints={{}} faults={[]} narrowed={search.narrowed} />;
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
          hint="A report costs one decode of this workspace's month, even if it shows only the maker's region. A VIN that is not well-formed is free."
        />
        <AnswerRegion>
          {view === undefined ? null : <DecodeAnswer view={view} page={action} home={home} />}
        </AnswerRegion>
      </>
    ),
  });
}
