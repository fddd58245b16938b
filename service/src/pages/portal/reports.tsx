import type { FastifyInstance } from 'fastify';

import { findDecode, recentDecode } from '../../features/decode/stored.ts';
import { subjectOf } from '../../features/usage/index.ts';
import type { Claim, ReportSummary } from '../../features/corrections/index.ts';
import { queueFull } from '../../features/corrections/route.ts';
import { Field, Notice } from '../../platform/ui/fields.tsx';
import { formOf, textField } from '../../platform/ui/forms.ts';
import { ReportStateTag } from '../shared/report-state.tsx';
import { Moment } from '../../platform/ui/times.tsx';
import { VinText } from '../../platform/ui/vin-plate.tsx';
import {
  callerOf,
  contextOf,
  type PageRequest,
  type PortalDeps,
  type WorkspaceContext,
  type WorkspaceRoute,
} from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Table } from '../../platform/ui/table.tsx';

const HIDDEN = { schema: { hide: true } };
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

interface ReportsQuery {
  Querystring: { vin?: string; after?: string };
}

interface Result {
  claim: Claim;
  /** What is wrong with which field. */
  faults: ReadonlyMap<string, string>;
  isSaved: boolean;
  after: string | undefined;
}

/** Adds the page of a workspace's own reports of wrong decodes. */
export function addReports(scope: FastifyInstance, deps: PortalDeps): void {
  scope.get<WorkspaceRoute & ReportsQuery>('/portal/:slug/reports', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const { vin = '', after } = request.query;
    const claim = await answeredClaim(deps, context, claimOf(new URLSearchParams({ vin })));
    const isSaved = deps.flash.take<{ isSaved: true }>(request, reply)?.isSaved === true;
    return sendReports(deps, { request, reply, context }, { claim, faults: new Map(), isSaved, after });
  });

  scope.post<WorkspaceRoute>('/portal/:slug/reports', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const claim = claimOf(formOf(request));
    const missing = Object.entries(claim).filter(([, text]) => text === '');
    const faults = new Map(missing.map(([name]) => [name, MISSING]));
    const answered = await answeredClaim(deps, context, claimOf(new URLSearchParams({ vin: claim.vin })));
    if (faults.size === 0 && EXPECTED.every((name) => claim[name] === answered[name])) {
      faults.set('expectedModel', 'This is what Marque answered. Change what is wrong.');
    }
    if (faults.size > 0) {
      return sendReports(deps, { request, reply, context }, { claim, faults, isSaved: false, after: undefined });
    }
    const outcome = await deps.corrections.submit({
      reporter: { kind: 'workspace', workspaceId: context.workspace.id, keyId: null },
      source: 'portal',
      claim,
      actualReport: null,
      notifyEmail: context.person.email,
    });
    if (outcome.kind === 'full') throw queueFull(outcome);
    return deps.flash.redirect(reply, `/portal/${context.workspace.slug}/reports`, { isSaved: true });
  });
}

const MISSING = 'Fill this in. If you do not know, write "unknown".';
const EXPECTED = ['expectedManufacturer', 'expectedModel', 'expectedBodyStyle', 'expectedModelYear'] as const;

/** A claim that holds what the workspace was last answered for its VIN, so that only what is wrong is changed. */
async function answeredClaim(deps: PortalDeps, context: WorkspaceContext, claim: Claim): Promise<Claim> {
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

async function sendReports(deps: PortalDeps, pageRequest: PageRequest, result: Result) {
  const { slug, id } = pageRequest.context.workspace;
  const page = { limit: PAGE + 1, ...(result.after === undefined ? {} : { after: result.after }) };
  const found = await deps.corrections.ownReports(id, page);
  const reports = found.slice(0, PAGE);
  const last = found.length > PAGE ? reports.at(-1) : undefined;
  return sendPortalPage(pageRequest, {
    tab: '/reports',
    title: 'Reports',
    status: result.faults.size === 0 ? 200 : 422,
    children: (
      <>
        {result.isSaved ? (
          <Notice tone="good">
            <p>Your report is saved. An administrator will review it. The table below shows its state.</p>
          </Notice>
        ) : null}
        <ReportTable
          reports={reports}
          older={last === undefined ? undefined : `/portal/${slug}/reports?after=${last.id}`}
        />
        <ReportForm slug={slug} result={result} />
      </>
    ),
  });
}

function ReportTable({ reports, older }: { reports: readonly ReportSummary[]; older: string | undefined }) {
  return (
    <Table
      rows={reports}
      empty="No reports yet. Reports of wrong decodes that you send from this page or through the API appear here. Once a report is accepted, the VIN is decoded with the correction."
      more={older === undefined ? undefined : { href: older, text: 'Older reports' }}
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
  );
}

function ReportForm({ slug, result: { claim, faults } }: { slug: string; result: Result }) {
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
      <form class="stack report-form" method="post" action={`/portal/${slug}/reports`}>
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
