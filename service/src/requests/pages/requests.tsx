import type { FastifyInstance, FastifyReply } from 'fastify';

import { Field, Select } from '../../kernel/ui/fields.tsx';
import { Filters } from '../../kernel/ui/filters.tsx';
import { daysBetween, given } from '../../kernel/ui/forms.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { pageOf } from '../../kernel/lists.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { chargedAmong } from '../../metering/index.ts';
import { type ApiKey, EARLIER_KEY, findKeys, keyChoices, workspaceSubject } from '../../workspaces/index.ts';
import { type PageRequest, workspaceRoutes, sendPortalPage } from '../../workspaces/pages/index.ts';
import { listRequests, type LoggedRequest, REQUEST_DAYS, requestedRoutes } from '../list.ts';

const PAGE = 50;

/** Filters of the list by status; the first digit represents its hundred. */
const STATUSES = [
  { value: '', text: 'Any' },
  { value: '2', text: 'Answered (2xx)' },
  { value: '4', text: 'Refused (4xx)' },
  { value: '400', text: '400: cannot be read' },
  { value: '401', text: '401: key refused' },
  { value: '429', text: '429: limit reached' },
  { value: '5', text: 'Failed (5xx)' },
] as const;

/** Adds the list of requests made with the workspace's keys. */
export function addRequests(scope: FastifyInstance, deps: PageKit): void {
  workspaceRoutes(scope, deps).get('/requests', (page) => sendRequests(deps, page));
}

async function sendRequests({ database }: PageKit, page: PageRequest): Promise<FastifyReply> {
  const { home, workspace } = page.context;
  const { before, ...query } = page.request.query;
  const wanted = {
    limit: PAGE + 1,
    id: given(query['id'], 36)?.toLowerCase(),
    statuses: statusesOf(query['status']),
    keyId: given(query['key'], 36),
    route: given(query['route'], 200),
    ...daysBetween(query['from'], query['until']),
    before: given(before, 36),
  };
  const [found, routes, keys] = await Promise.all([
    listRequests(database, workspace.id, wanted, page),
    requestedRoutes(database, workspace.id),
    keyChoices(database, workspace.id, given(query['key'], 36)),
  ]);
  const { page: requests, last } = pageOf(found.requests, PAGE);
  const ids = requests.map(({ answeredId }) => answeredId);
  const decodes = await chargedAmong(database, workspaceSubject(workspace.id), ids);
  const named = await findKeys(
    database,
    workspace.id,
    requests.map(({ keyId }) => keyId),
  );
  const next = last?.id ?? found.olderThan;
  const more = next && `${home}/requests?${new URLSearchParams({ ...query, before: next }).toString()}`;
  return sendPortalPage(page, {
    tab: '/requests',
    title: 'Requests',
    children: (
      <>
        <p class="hint">
          Calls made with your keys in the last {REQUEST_DAYS} days, including those that were refused; of thousands in
          a row that decode nothing, not all are kept. To find one, search for the{' '}
          <code class="whole">X-Request-Id</code> of its answer. For privacy, VINs are not shown.
        </p>
        <ListFilters path={`${home}/requests`} query={query} routes={routes} keys={keys} />
        <RequestTable
          {...{ requests, named, decodes, home }}
          isFiltered={Object.values(query).some((value) => value !== '')}
          more={more}
        />
      </>
    ),
  });
}

/** Returns the least and the greatest status of a choice; undefined: any. Pure. */
function statusesOf(choice: string | undefined): readonly [number, number] | undefined {
  if (!/^[2-5]\d{0,2}$/.test(choice ?? '')) return undefined;
  const status = Number(choice);
  return status < 10 ? [status * 100, status * 100 + 99] : [status, status];
}

interface FiltersProps {
  path: string;
  query: Readonly<Record<string, string>>;
  routes: readonly string[];
  keys: readonly ApiKey[];
}

function ListFilters({ path, query, routes, keys }: FiltersProps) {
  const any = { value: '', text: 'Any' };
  return (
    <Filters action={path} query={query}>
      <Select label="Status" name="status" options={STATUSES} value={query['status']} />
      <Select
        label="Key"
        name="key"
        options={[any, ...keys.map(({ id, name, last4 }) => ({ value: id, text: `${name} (…${last4})` }))]}
        value={query['key']}
      />
      <Select
        label="Route"
        name="route"
        options={[any, ...routes.map((route) => ({ value: route, text: route }))]}
        value={query['route']}
      />
      <Field label="From (UTC)" name="from" type="date" value={query['from']} isFilter />
      <Field label="Until (UTC)" name="until" type="date" value={query['until']} isFilter />
      <Field label="Request ID" name="id" value={query['id']} maxLength={36} isMono isFilter />
    </Filters>
  );
}

interface RequestTableProps {
  requests: readonly LoggedRequest[];
  /** Their keys, by id. */
  named: ReadonlyMap<string, ApiKey>;
  /** Ids of decodes that have a page. */
  decodes: ReadonlySet<string>;
  home: string;
  isFiltered: boolean;
  more: string | undefined;
}

function RequestTable({ requests, named, decodes, home, isFiltered, more }: RequestTableProps) {
  return (
    <Table
      rows={requests}
      empty={<None home={home} isFiltered={isFiltered} older={more} />}
      more={more === undefined || requests.length === 0 ? undefined : { href: more, text: 'Older requests' }}
      columns={[
        { head: 'Time', cell: ({ atMs }) => <Moment ms={atMs} hasSeconds /> },
        { head: 'Status', kind: 'word', cell: ({ status }) => <span class={`tag ${toneOf(status)}`}>{status}</span> },
        {
          head: 'Request',
          cell: ({ route, reason }) => (
            <>
              <code>{route}</code>
              {reason === null ? null : <div>{reason}</div>}
            </>
          ),
        },
        { head: 'Key', cell: ({ keyId }) => named.get(keyId)?.name ?? (keyId === '' ? '–' : EARLIER_KEY) },
        { head: 'Duration', kind: 'figure', cell: ({ milliseconds }) => durationText(milliseconds) },
        {
          head: 'ID',
          kind: 'code',
          cell: ({ answeredId: id }) => (decodes.has(id) ? <a href={`${home}/decodes/${id}`}>{id}</a> : id),
        },
      ]}
    />
  );
}

/** Durations are stored in whole milliseconds. */
function durationText(milliseconds: number): string {
  return milliseconds === 0 ? '<\u20091\u00a0ms' : `${count(milliseconds)}\u00a0ms`;
}

function toneOf(status: number): 'good' | 'warn' | 'bad' {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
}

function None({ home, isFiltered, older }: { home: string; isFiltered: boolean; older: string | undefined }) {
  if (older !== undefined) {
    return (
      <>
        None of the latest requests matches. <a href={older}>Search older ones</a>
      </>
    );
  }
  if (isFiltered) {
    return (
      <>
        No request matches. Requests are listed a few seconds after their answer, and kept for {REQUEST_DAYS} days.{' '}
        <a href={`${home}/requests`}>Show all</a>
      </>
    );
  }
  return (
    <>
      No requests yet. Calls with your keys appear here a few seconds after their answer.{' '}
      <a href="/docs">Make your first call</a>
    </>
  );
}
