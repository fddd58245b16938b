import type { FastifyInstance } from 'fastify';

import type { CorrectionPageDeps } from '../slice.ts';
import type { ReportState, ReportSummary } from '../index.ts';
import { Field, Select } from '../../kernel/ui/fields.tsx';
import type { Database } from '../../kernel/db/index.ts';
import { REPORT_STATES } from '../tables.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { ReportStateTag } from './report-state.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { daysBetween, given } from '../../kernel/ui/filters.ts';
import { sendAdminPage } from '../../kernel/ui/admin-frame.tsx';
import { duplicatesText } from './review.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { slugsOf } from '../../workspaces/index.ts';

const PAGE = 50;

interface QueueQuery {
  Querystring: Partial<Record<'state' | 'vin' | 'reporter' | 'decided-by' | 'from' | 'until' | 'after', string>>;
}

/** Adds the queue of reports, with filters: the first page of administration. */
export function addQueue(scope: FastifyInstance, { corrections, database }: CorrectionPageDeps): void {
  scope.get<QueueQuery>('/admin', async (request, reply) => {
    const { vin = '', after, from, until, ...query } = request.query;
    const state = REPORT_STATES.find((known) => known === request.query.state) ?? 'queued';
    const [found, queued] = await Promise.all([
      corrections.list({
        state,
        limit: PAGE + 1,
        ...daysBetween(from, until),
        reporter: given(query.reporter, 64),
        decidedBy: given(query['decided-by'], 254),
        ...(vin === '' ? {} : { vin: vin.slice(0, 64) }),
        ...(after === undefined ? {} : { after }),
      }),
      corrections.countQueued(),
    ]);
    const reports = found.slice(0, PAGE);
    const names = await reporters(database, reports);
    const last = found.length > PAGE ? reports.at(-1) : undefined;
    const next = new URLSearchParams({ ...request.query, state, after: last?.id ?? '' });
    return sendAdminPage(reply, {
      tab: '/admin',
      title: 'Corrections',
      children: (
        <>
          <p>{waitingText(queued)}</p>
          <form class="filters" method="get" action="/admin">
            <Select
              label="State"
              name="state"
              value={state}
              options={REPORT_STATES.map((value) => ({ value, text: value }))}
            />
            <Field label="VIN contains" name="vin" value={vin} isMono maxLength={64} isFilter />
            <Field label="Reporter" name="reporter" value={query.reporter} maxLength={64} isFilter />
            <Field label="Decided by" name="decided-by" value={query['decided-by']} maxLength={254} isFilter />
            <Field label="Sent from" name="from" type="date" value={from} isFilter />
            <Field label="Sent until" name="until" type="date" value={until} isFilter />
            <button>Filter</button>
          </form>
          <Reports
            reports={reports}
            names={names}
            state={state}
            next={last === undefined ? undefined : `/admin?${next.toString()}`}
          />
        </>
      ),
    });
  });
}

function waitingText(queued: number): string {
  if (queued === 0) return 'No reports are waiting for review.';
  return queued === 1 ? 'One report is waiting for review.' : `${count(queued)} reports are waiting for review.`;
}

/** Names of the workspaces that reported, by id. */
function reporters(database: Database, reports: readonly ReportSummary[]): Promise<ReadonlyMap<string, string>> {
  return slugsOf(database, [...new Set(reports.flatMap(({ workspaceId }) => workspaceId ?? []))]);
}

interface ReportsProps {
  reports: readonly ReportSummary[];
  names: ReadonlyMap<string, string>;
  state: ReportState;
  next: string | undefined;
}

function Reports({ reports, names, state, next }: ReportsProps) {
  const [first] = reports;
  return (
    <Table
      rows={reports}
      empty={
        state === 'queued'
          ? 'No report matches. Reports of wrong decodes appear here, oldest first.'
          : `No ${state} report matches.`
      }
      more={next === undefined ? undefined : { href: next, text: 'More reports' }}
      columns={[
        {
          head: 'VIN',
          kind: 'name',
          cell: (report) => (
            <a href={`/admin/reports/${report.id}`} data-key={report === first ? 'n' : undefined}>
              <VinText vin={report.claim.vin} />
            </a>
          ),
        },
        {
          head: 'Expected',
          cell: ({ claim }) => [claim.expectedModelYear, claim.expectedManufacturer, claim.expectedModel].join(' '),
        },
        {
          head: 'Reporter',
          cell: ({ workspaceId, duplicates }) =>
            `${workspaceId === null ? 'public' : (names.get(workspaceId) ?? 'closed workspace')}${
              duplicates === 0 ? '' : `, ${duplicatesText(duplicates)}`
            }`,
        },
        { head: 'Sent', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
        { head: 'State', cell: (report) => <ReportStateTag state={report.state} /> },
      ]}
    />
  );
}
