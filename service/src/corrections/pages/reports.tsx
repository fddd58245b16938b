import type { FastifyInstance } from 'fastify';

import type { CorrectionPageDeps } from '../slice.ts';
import { findDecode, recentDecode } from '../../metering/stored-decodes.ts';
import { subjectOf } from '../../metering/index.ts';
import type { Claim } from '../index.ts';
import { queueFull } from '../route.ts';
import { Field, NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, textField } from '../../kernel/ui/forms.ts';
import { ReportStateTag } from './report-state.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { callerOf, type PageRequest, type WorkspaceContext, workspaceRoutes } from '../../workspaces/pages/context.ts';
import { sendPortalPage } from '../../workspaces/pages/frame.tsx';
import { Table } from '../../kernel/ui/table.tsx';

const PAGE = 50;

/** What a report asks for: label and length of each field, as in the API. */
const CLAIM_FIELDS = {
  vin: ['VIN', 64],
  expectedManufacturer: ['Correct make', 120],
  expectedModel: ['Correct model', 160],
  expectedBodyStyle: ['Correct body style', 120],
  expectedModelYear: ['Correct model year', 32],
  note: ['How do you know?', 2_000],
} as const satisfies Record<keyof Claim, readonly [string, number]>;

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
    const missing = Object.entries(claim).filter(([, text]) => text === '');
    const faults = new Map(missing.map(([name]) => [name, MISSING]));
    const answered = await answeredClaim(deps, page.context, claim.vin);
    if (faults.size === 0 && EXPECTED.every((name) => claim[name] === answered[name])) {
      faults.set('expectedModel', 'This is what Marque answered. Change what is wrong.');
    }
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

const MISSING = 'Fill this in. If you do not know, write "unknown".';
const EXPECTED = ['expectedManufacturer', 'expectedModel', 'expectedBodyStyle', 'expectedModelYear'] as const;

/** A claim that holds what the workspace was last answered for a VIN, so that only what is wrong is changed. */
async function answeredClaim(deps: CorrectionPageDeps, context: WorkspaceContext, text: string): Promise<Claim> {
  const claim = claimOf(new URLSearchParams({ vin: text }));
  const subject = subjectOf(callerOf(context));
  const vin = claim.vin.toUpperCase();
  const id = vin === '' ? undefined : await recentDecode(deps.database, subject, { vin, sinceMs: 0 });
  const decode = id === undefined ? undefined : await findDecode(deps.database, subject, id);
  if (decode === undefined) return claim;
  const { manufacturer = '', model = '', bodyStyle, bodyStyleNormalized, modelYear = '' } = decode.report;
  const category = bodyStyleNormalized === 'unknown' ? '' : bodyStyleNormalized;
  return {
    ...claim,
    expectedManufacturer: manufacturer,
    expectedModel: model,
    expectedBodyStyle: bodyStyle ?? category,
    expectedModelYear: modelYear,
  };
}

function claimOf(form: URLSearchParams): Claim {
  const text = (name: keyof Claim): string => textField(form, name, CLAIM_FIELDS[name][1]);
  return {
    vin: text('vin'),
    expectedManufacturer: text('expectedManufacturer'),
    expectedModel: text('expectedModel'),
    expectedBodyStyle: text('expectedBodyStyle'),
    expectedModelYear: text('expectedModelYear'),
    note: text('note'),
  };
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
            { head: 'Sent (UTC)', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
          ]}
        />
        <ReportForm action={`${home}/reports`} claim={claim} faults={faults} />
      </>
    ),
  });
}

const SAVED = 'Your report is saved. An administrator will review it. The table below shows its state.';

interface ReportFormProps {
  action: string;
  claim: Claim;
  faults: ReadonlyMap<string, string>;
}

function ReportForm({ action, claim, faults }: ReportFormProps) {
  const field = (name: keyof Claim) => {
    const [label, maxLength] = CLAIM_FIELDS[name];
    return (
      <Field
        label={label}
        name={name}
        value={claim[name]}
        maxLength={maxLength}
        isMono={name === 'vin'}
        fault={faults.get(name)}
      />
    );
  };
  return (
    <section id="wrong">
      <h2>Report a wrong decode</h2>
      {claim.expectedManufacturer === '' ? null : (
        <p>The form shows what Marque answered. Change only what is wrong.</p>
      )}
      <form class="stack report-form" method="post" action={action}>
        {field('vin')}
        <div class="row">
          {field('expectedManufacturer')}
          {field('expectedModel')}
        </div>
        <div class="row">
          {field('expectedBodyStyle')}
          {field('expectedModelYear')}
        </div>
        {field('note')}
        <button class="first">Send the report</button>
      </form>
    </section>
  );
}
