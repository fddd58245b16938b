import type { FastifyInstance } from 'fastify';

import { administratorOf } from '../../features/accounts/guard.ts';
import type { ReportState, ReportSummary } from '../../features/corrections/index.ts';
import { Field, Select } from '../../platform/ui/fields.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { ReportStateTag } from '../shared/report-state.tsx';
import { Moment } from '../../platform/ui/times.tsx';
import { VinText } from '../../platform/ui/vin-plate.tsx';
import type { AdminDeps } from './context.ts';
import { daysBetween, given } from './filters.ts';
import { sendAdminPage } from './frame.tsx';
import { Table } from '../../platform/ui/table.tsx';

const PAGE = 50;
const STATES = ['queued', 'accepted', 'rejected', 'superseded', 'reverted'] as const satisfies readonly ReportState[];

interface QueueQuery {
  Querystring: Partial<Record<'state' | 'vin' | 'decided-by' | 'from' | 'until' | 'after', string>>;
}

/** Adds the queue of reports, with filters: the first page of administration. */
export function addQueue(scope: FastifyInstance, { corrections }: AdminDeps): void {
  scope.get<QueueQuery>('/admin', { schema: { hide: true } }, async (request, reply) => {
    administratorOf(request);
    const { vin = '', after, from, until, ...query } = request.query;
    const state = STATES.find((known) => known === request.query.state) ?? 'queued';
    const [found, queued] = await Promise.all([
      corrections.list({
        state,
        limit: PAGE + 1,
        ...daysBetween(from, until),
        decidedBy: given(query['decided-by'], 254),
        ...(vin === '' ? {} : { vin: vin.slice(0, 64) }),
        ...(after === undefined ? {} : { after }),
      }),
      corrections.countQueued(),
    ]);
    const reports = found.slice(0, PAGE);
    const last = found.length > PAGE ? reports.at(-1) : undefined;
    const next = new URLSearchParams({ ...request.query, state, after: last?.id ?? '' });
    return sendAdminPage(request, reply, {
      tab: '/admin',
      title: 'Corrections',
      children: (
        <>
          <p>{waitingText(queued)}</p>
          <form class="row" method="get" action="/admin">
            <Select
              label="State"
              name="state"
              value={state}
              options={STATES.map((value) => ({ value, text: value }))}
            />
            <Field label="Text in the VIN" name="vin" type="search" value={vin} isOptional isMono maxLength={64} />
            <Field
              label="Decided by"
              name="decided-by"
              type="search"
              value={query['decided-by'] ?? ''}
              isOptional
              maxLength={254}
            />
            <Field label="Sent from" name="from" type="date" value={from ?? ''} isOptional />
            <Field label="until" name="until" type="date" value={until ?? ''} isOptional />
            <button>Show</button>
          </form>
          <Reports
            reports={reports}
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

function Reports(view: { reports: readonly ReportSummary[]; state: ReportState; next: string | undefined }) {
  const { reports, state, next } = view;
  const [first] = reports;
  return (
    <Table
      rows={reports}
      empty={
        state === 'queued'
          ? 'Reports of wrong decodes appear here, oldest first. They come from the API, the portal and the public.'
          : `No report is ${state}.`
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
          head: 'From',
          cell: ({ source, duplicates }) =>
            `${source}${duplicates === 0 ? '' : `, and ${count(duplicates)} that say the same`}`,
        },
        { head: 'Sent (UTC)', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
        { head: 'State', cell: (report) => <ReportStateTag state={report.state} /> },
      ]}
    />
  );
}
