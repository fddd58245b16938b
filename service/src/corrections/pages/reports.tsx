import type { FastifyInstance } from 'fastify';

import type { CorrectionPageDeps } from '../slice.ts';
import { findDecode, recentDecode } from '../../metering/stored-decodes.ts';
import { subjectOf } from '../../metering/index.ts';
import type { Claim } from '../index.ts';
import { queueFull } from '../route.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf } from '../../kernel/ui/forms.ts';
import { answeredIn, claimOf, faultsIn, ReportForm } from './report-form.tsx';
import { ReportStateTag } from './report-state.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { callerOf, type PageRequest, type WorkspaceContext, workspaceRoutes } from '../../workspaces/pages/context.ts';
import { sendPortalPage } from '../../workspaces/pages/frame.tsx';
import { Table } from '../../kernel/ui/table.tsx';

const PAGE = 50;

interface Result {
  claim: Claim;
  /** What is wrong with which field. */
  faults?: ReadonlyMap<string, string>;
  isSaved?: boolean | undefined;
}

/** Adds the page of a workspace's own reports of wrong decodes. */
export function addReports(scope: FastifyInstance, deps: CorrectionPageDeps): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/reports', async (page) => {
    const claim = await answeredClaim(deps, page.context, page.request.query['vin'] ?? '');
    return sendReports(deps, page, { claim, ...deps.flash.take<{ isSaved: boolean }>(page.reply) });
  });

  routes.post('/reports', async (page) => {
    const { workspace, person, home } = page.context;
    const claim = claimOf(formOf(page.request));
    const faults = faultsIn(claim, await answeredClaim(deps, page.context, claim.vin));
    if (faults.size > 0) return sendReports(deps, page, { claim, faults });
    const outcome = await deps.corrections.submit({
      reporter: { kind: 'workspace', workspaceId: workspace.id, keyId: null },
      source: 'portal',
      claim,
      actualReport: null,
      notifyEmail: person.email,
    });
    if (outcome.kind === 'full') throw queueFull(outcome);
    return deps.flash.redirect(page.reply, `${home}/reports`, { isSaved: true });
  });
}

/** A claim that holds what the workspace was last answered for a VIN, so that only what is wrong is changed. */
async function answeredClaim(deps: CorrectionPageDeps, context: WorkspaceContext, text: string): Promise<Claim> {
  const claim = claimOf(new URLSearchParams({ vin: text }));
  const subject = subjectOf(callerOf(context));
  const vin = claim.vin.toUpperCase();
  const id = vin === '' ? undefined : await recentDecode(deps.database, subject, { vin, sinceMs: 0 });
  const decode = id === undefined ? undefined : await findDecode(deps.database, subject, id);
  if (decode === undefined) return claim;
  return { ...claim, ...answeredIn(decode.report) };
}

async function sendReports(
  deps: CorrectionPageDeps,
  page: PageRequest,
  { claim, faults = new Map(), isSaved }: Result,
) {
  const { home, workspace } = page.context;
  const { after } = page.request.query;
  const found = await deps.corrections.ownReports(workspace.id, {
    limit: PAGE + 1,
    ...(after !== undefined && { after }),
  });
  const reports = found.slice(0, PAGE);
  const last = found.length > PAGE ? reports.at(-1) : undefined;
  return sendPortalPage(page, {
    tab: '/reports',
    title: 'Reports',
    status: faults.size === 0 ? 200 : 422,
    children: (
      <>
        <NoticeText tone="good" text={isSaved === true ? SAVED : undefined} />
        <Table
          rows={reports}
          empty="No reports yet. Reports of wrong decodes that you send from this page or through the API appear here. Once a report is accepted, the VIN is decoded with the correction."
          more={last && { href: `${home}/reports?after=${last.id}`, text: 'Older reports' }}
          columns={[
            { head: 'VIN', kind: 'name', cell: ({ claim }) => <VinText vin={claim.vin} /> },
            {
              head: 'You expected',
              cell: ({ claim: { expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle } }) =>
                [expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle].join(' '),
            },
            {
              head: 'State',
              cell: ({ state, reason }) => (
                <>
                  <ReportStateTag state={state} />
                  {reason === null || reason === '' ? null : <p class="hint">{reason}</p>}
                </>
              ),
            },
            { head: 'Sent', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
          ]}
        />
        <ReportForm action={`${home}/reports`} claim={claim} faults={faults} />
      </>
    ),
  });
}

const SAVED = 'Your report is saved. An administrator will review it. The table below shows its state.';
