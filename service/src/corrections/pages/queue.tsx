import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Corrections, ReportState, ReportSummary } from '../index.ts';
import { Field, NoticeText, Select } from '../../kernel/ui/fields.tsx';
import { Filters } from '../../kernel/ui/filters.tsx';
import type { Database } from '../../kernel/db/index.ts';
import { REPORT_STATES } from '../tables.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { Expected, ReportStateTag, stateText } from './report-state.tsx';
import { type BulkAct, decideOnAll } from './bulk.ts';
import { BulkForm, tickColumn } from './bulk-form.tsx';
import { kindOf } from '../scope.ts';
import { actorOf, recheckOf } from '../../people/index.ts';
import { vehicleTitle } from '../../report/index.ts';
import { slugsOf } from '../../workspaces/index.ts';
import { daysBetween, formOf, formStatus, given } from '../../kernel/ui/forms.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { pageOf } from '../../kernel/lists.ts';
import { sendAdminPage } from '../../kernel/ui/admin-frame.tsx';
import { Change } from './impact.tsx';
import { duplicatesText } from './review.tsx';
import { type Column, Table } from '../../kernel/ui/table.tsx';
import type { ReportParts } from '../route.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

const PAGE = 50;

const QUERY = ['state', 'vin', 'reporter', 'decided-by', 'from', 'until', 'after'] as const;

interface QueueQuery {
  Querystring: Partial<Record<(typeof QUERY)[number], string>>;
}

/** The result of a form for several reports, or its error. */
interface BulkResult {
  done?: string;
  fault?: string;
  /** The reports that are ticked. */
  ticked?: ReadonlySet<string>;
}

/** Adds the queue of reports, with filters: the first page of administration. */
export function addQueue(scope: FastifyInstance, deps: ReportParts & PageKit): void {
  scope.get<QueueQuery>('/admin', async (request, reply) =>
    sendQueue(deps, reply, request.query, deps.flash.take<BulkResult>(reply) ?? {}),
  );

  scope.post<QueueQuery>('/admin/reports', async (request, reply) => {
    const form = formOf(request);
    const ids = form.getAll('report').slice(0, PAGE);
    const act: BulkAct = form.get('act') === 'reject' ? 'reject' : 'accept';
    const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim().slice(0, 2_000);
    const fault = faultIn(ids, act, reason);
    if (fault !== undefined) return sendQueue(deps, reply, request.query, { fault, ticked: new Set(ids) });
    const done = await decideOnAll(deps, ids, act, {
      by: actorOf(request),
      reason,
      recheck: recheckOf(deps.database, request),
    });
    return deps.flash.redirect(reply, `/admin${queryText(request.query)}`, { done });
  });
}

function faultIn(ids: readonly string[], act: BulkAct, reason: string): string | undefined {
  if (ids.length === 0) return 'Tick at least one report.';
  return act === 'reject' && reason === '' ? 'Give a reason: the reporters read it.' : undefined;
}

/** Returns the filters of the list, as an address has them. */
function queryText(query: QueueQuery['Querystring']): string {
  const given = QUERY.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

async function sendQueue(
  { corrections, database }: ReportParts & PageKit,
  reply: FastifyReply,
  query: QueueQuery['Querystring'],
  result: BulkResult,
): Promise<FastifyReply> {
  const { after, ...filters } = query;
  const { vin = '', from, until } = filters;
  const state = REPORT_STATES.find((known) => known === query.state) ?? 'queued';
  const [found, queued] = await Promise.all([
    corrections.list({
      state,
      limit: PAGE + 1,
      ...daysBetween(from, until),
      reporter: given(query.reporter, 64),
      decidedBy: given(query['decided-by'], 254),
      vin: vin === '' ? undefined : vin.slice(0, 64),
      after,
    }),
    corrections.countQueued(),
  ]);
  const { page: reports, last } = pageOf(found, PAGE);
  const names = await reporters(database, reports);
  return sendAdminPage(reply, {
    tab: '/admin',
    title: 'Corrections',
    status: formStatus(result.fault),
    children: (
      <>
        <NoticeText tone="good" text={result.done} />
        <p>{waitingText(queued)}</p>
        <Filters action="/admin" query={filters}>
          <Select
            label="State"
            name="state"
            value={state}
            options={REPORT_STATES.map((value) => ({ value, text: capitalized(stateText(value)) }))}
          />
          <Field label="VIN contains" name="vin" value={vin} isMono maxLength={64} isFilter />
          <Field label="Reporter" name="reporter" value={query.reporter} maxLength={64} isFilter />
          <Field label="Decided by" name="decided-by" value={query['decided-by']} maxLength={254} isFilter />
          <Field label="Sent from" name="from" type="date" value={from} isFilter />
          <Field label="Sent until" name="until" type="date" value={until} isFilter />
        </Filters>
        <Reports
          reports={reports}
          names={names}
          contested={corrections.contested}
          state={state}
          ticked={result.ticked ?? new Set()}
          next={last === undefined ? undefined : `/admin${queryText({ ...query, state, after: last.id })}`}
        />
        {state === 'queued' && reports.length > 0 ? (
          <BulkForm action={`/admin/reports${queryText(query)}`} fault={result.fault} />
        ) : null}
      </>
    ),
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function waitingText(queued: number): string {
  if (queued === 0) return 'No reports are waiting for review.';
  return queued === 1 ? 'One report is waiting for review.' : `${count(queued)} reports are waiting for review.`;
}

/** Returns the names of the workspaces that reported, by id. */
function reporters(database: Database, reports: readonly ReportSummary[]): Promise<ReadonlyMap<string, string>> {
  return slugsOf(database, [...new Set(reports.flatMap(({ workspaceId }) => workspaceId ?? []))]);
}

interface ReportsProps {
  reports: readonly ReportSummary[];
  names: ReadonlyMap<string, string>;
  contested: Corrections['contested'];
  state: ReportState;
  ticked: ReadonlySet<string>;
  next: string | undefined;
}

function Reports({ reports, names, contested, state, ticked, next }: ReportsProps) {
  const isQueue = state === 'queued';
  const columns = columnsOf(names, isQueue ? contested : undefined);
  return (
    <div data-steps>
      {isQueue && reports.length > 0 ? (
        <p class="hint keys" data-needs-script hidden>
          <kbd>Alt+J</kbd> and <kbd>Alt+K</kbd> go from report to report, <kbd>Alt+X</kbd> ticks one, <kbd>Enter</kbd>{' '}
          opens it.
        </p>
      ) : null}
      <Table
        rows={reports}
        empty={
          isQueue
            ? 'No report matches. Reports of wrong decodes appear here, oldest first.'
            : `No ${state} report matches.`
        }
        more={next === undefined ? undefined : { href: next, text: 'More reports' }}
        groups={
          isQueue ? { keyOf: ({ claim }) => kindOf(claim.vin), head: (alike) => <Alike reports={alike} /> } : undefined
        }
        columns={isQueue ? [tickColumn(ticked), ...columns] : [...columns, stateColumn]}
      />
    </div>
  );
}

/** Returns the queue's columns. `contested`: for reports that wait. */
function columnsOf(
  names: ReadonlyMap<string, string>,
  contested: Corrections['contested'] | undefined,
): Column<ReportSummary>[] {
  return [
    {
      head: 'VIN',
      kind: 'name',
      cell: (report) => (
        <a href={`/admin/reports/${report.id}`}>
          <VinText vin={report.claim.vin} />
        </a>
      ),
    },
    contested === undefined
      ? { head: 'Expected', cell: ({ claim }) => <Expected claim={claim} /> }
      : { head: 'Vehicle', cell: ({ claim }) => <Wrong contested={contested(claim)} /> },
    {
      head: 'Reporter',
      cell: ({ workspaceId, byTestKey, duplicates }) =>
        [
          workspaceId === null ? 'public' : (names.get(workspaceId) ?? 'closed workspace'),
          ...(byTestKey ? ['test key'] : []),
          ...(duplicates === 0 ? [] : [duplicatesText(duplicates)]),
        ].join(', '),
    },
    {
      head: 'Sent',
      cell: ({ createdAtMs }) => <Moment ms={createdAtMs} isAgo={contested !== undefined} />,
    },
  ];
}

const stateColumn: Column<ReportSummary> = {
  head: 'State',
  cell: (report) => <ReportStateTag state={report.state} />,
};

/** Shows the VIN's decoded values, and the report's values instead. */
function Wrong({ contested }: { contested: ReturnType<Corrections['contested']> }) {
  if (contested === undefined) return <>Not a VIN</>;
  const { now, fields } = contested;
  return (
    <>
      {vehicleTitle({ ...now })}
      {fields.length === 0 ? <p class="hint">Nothing that differs from the answer</p> : null}
      {fields.map((field) => (
        <Change key={field.field} {...field} />
      ))}
    </>
  );
}

/** The head of reports on VINs of one kind. */
function Alike({ reports }: { reports: readonly ReportSummary[] }) {
  const kind = kindOf(reports[0]?.claim.vin ?? '');
  return (
    <>
      {count(reports.length)} reports on VINs that begin with <code>{kind}</code>{' '}
      <button
        type="button"
        class="small"
        data-tick-all
        data-needs-script
        hidden
        aria-label={`Tick all reports on ${kind}`}
      >
        Tick all
      </button>
    </>
  );
}
