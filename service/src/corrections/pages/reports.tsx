import type { VehicleReport } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';

import { findDecode, recentDecode } from '../../metering/index.ts';
import { subjectOf } from '../../workspaces/index.ts';
import {
  callerOf,
  type PageRequest,
  type WorkspaceContext,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import type { Claim } from '../index.ts';
import { queueFull, refuseStorms, reportLimits } from '../route.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, textField } from '../../kernel/ui/forms.ts';
import { Expected, ReportStateTag } from './report-state.tsx';
import { answeredIn, claimOf, faultsIn, ReportForm } from './report-form.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { pageOf } from '../../kernel/lists.ts';
import { Table } from '../../kernel/ui/table.tsx';
import type { ReportParts } from '../route.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

const PAGE = 50;

interface Result {
  claim: Claim;
  /** The last answer that the workspace got for the VIN; undefined: it has not decoded it. */
  answered: VehicleReport | undefined;
  /** The path of the field that a reader called wrong. */
  wrong?: string;
  /** Faults by field. */
  faults?: ReadonlyMap<string, string>;
  isSaved?: boolean | undefined;
}

/** Adds the page of a workspace's own reports of wrong decodes. */
export function addReports(scope: FastifyInstance, deps: ReportParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  const limit = reportLimits(deps.rateLimit).subscriber;
  routes.get('/reports', async (page) => {
    const { vin = '', field: wrong = '' } = page.request.query;
    const blank = claimOf(new URLSearchParams({ vin }));
    const answered = await answeredFor(deps, page.context, blank.vin);
    const claim = { ...blank, ...(answered && answeredIn(answered)) };
    return sendReports(deps, page, { claim, answered, wrong, ...deps.flash.take<{ isSaved: boolean }>(page.reply) });
  });

  routes.post('/reports', async (page) => {
    const { workspace, person, home } = page.context;
    const form = formOf(page.request);
    const answered = await answeredFor(deps, page.context, textField(form, 'vin', 64));
    // On a plan with less depth only the basic fields can be wrong: the others were never shown.
    const claim = claimOf(form, answered);
    const faults = faultsIn(claim, { ...claim, ...(answered === undefined ? NOTHING : answeredIn(answered)) });
    if (faults.size > 0) return sendReports(deps, page, { claim, answered, faults });
    await refuseStorms(limit, subjectOf(callerOf(page.context)), deps.clock());
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

/** Returns the last answer that the workspace got for a VIN, so that only wrong values need changing. */
async function answeredFor(
  deps: ReportParts & PageKit,
  context: WorkspaceContext,
  text: string,
): Promise<VehicleReport | undefined> {
  const subject = subjectOf(callerOf(context));
  const vin = text.toUpperCase();
  const id = vin === '' ? undefined : await recentDecode(deps.database, subject, { vin, sinceMs: 0 });
  const decode = id === undefined ? undefined : await findDecode(deps.database, subject, id);
  return decode && (await deps.corrections.correctedSince(decode.report)).report;
}

async function sendReports(
  deps: ReportParts & PageKit,
  page: PageRequest,
  { claim, answered, wrong = '', faults = new Map(), isSaved }: Result,
) {
  const { home, workspace } = page.context;
  const { after } = page.request.query;
  const found = await deps.corrections.ownReports(workspace.id, { limit: PAGE + 1, after });
  const { page: reports, last } = pageOf(found, PAGE);
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
              cell: ({ claim }) => <Expected claim={claim} />,
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
            {
              head: 'Sent',
              cell: ({ createdAtMs, byTestKey }) => (
                <>
                  <Moment ms={createdAtMs} />
                  {byTestKey ? <p class="hint">With a test key</p> : null}
                </>
              ),
            },
          ]}
        />
        <ReportForm
          action={`${home}/reports`}
          claim={claim}
          faults={faults}
          answered={page.context.workspace.plan === 'free' ? undefined : (answered ?? {})}
          wrong={wrong}
        />
      </>
    ),
  });
}

/** A claim on a VIN that was not decoded here has nothing to differ from. */
const NOTHING = { expectedManufacturer: '', expectedModel: '', expectedBodyStyle: '', expectedModelYear: '' };

const SAVED = 'Your report is saved. An administrator will review it. The table below shows its state.';
