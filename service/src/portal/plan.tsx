import type { FastifyInstance } from 'fastify';

import { type Plan, PLANS } from '../db/index.ts';
import { limitText, planName, PlanTable } from '../pages/plan-table.tsx';
import { type PortalDeps, visitOf, type WorkspaceRoute } from './context.ts';
import { sendPortalPage } from './frame.tsx';

/** Adds the page of a workspace's plan. */
export function addPlan(scope: FastifyInstance, deps: PortalDeps): void {
  scope.get<WorkspaceRoute>('/portal/:slug/plan', { schema: { hide: true } }, async (request, reply) => {
    const visit = await visitOf(deps, request);
    const { plan, limit } = visit.workspace;
    const contact = deps.config.contact;
    return sendPortalPage(
      { request, reply, visit },
      {
        tab: '/plan',
        title: 'Plan',
        children: (
          <>
            <p>
              This workspace has the plan <strong>{planName(plan)}</strong>
              {limit.kind === 'plan'
                ? `: ${limitWords(deps.config.planLimits[plan])}.`
                : `, with a limit of its own: ${limitWords(visit.limit)}.`}
            </p>
            <PlanTable plans={PLANS} planLimits={deps.config.planLimits} current={plan} />
            <Ask plan={plan} contact={contact} />
          </>
        ),
      },
    );
  });
}

function Ask({ plan, contact }: { plan: Plan; contact: string | undefined }) {
  const isHighest = plan === PLANS.at(-1);
  return (
    <p>
      {isHighest ? 'There is no plan above yours. ' : ''}
      To change the plan, {contact === undefined ? 'ask whoever runs this service' : `write to ${contact}`}. A higher
      plan counts at once: what was used this month stays used.
    </p>
  );
}

function limitWords(limit: number | null): string {
  return limit === null ? 'no monthly limit' : `${limitText(limit)} decodes a month`;
}
