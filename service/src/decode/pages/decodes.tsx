import type { FastifyInstance, FastifyReply } from 'fastify';

import { project } from '../depth.ts';
import { exportDecodes } from '../export.ts';
import { type DecodeFilter, type DecodePage, listDecodes } from '../../metering/index.ts';
import { subjectOf, type ApiKey, EARLIER_KEY, findKeys, keyChoices, tenantOf } from '../../workspaces/index.ts';
import { vehicleTitle } from '../../report/index.ts';
import {
  callerOf,
  type PageRequest,
  recheckIn,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { whileAllowed } from '../../kernel/limits/while-allowed.ts';
import { Field, Select } from '../../kernel/ui/fields.tsx';
import { Filters } from '../../kernel/ui/filters.tsx';
import { daysBetween, given } from '../../kernel/ui/forms.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import type { DecodeParts } from '../parts.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

const PAGE = 50;

/** The outcomes of charged decodes, as people read them. */
const OUTCOMES = new Map([
  ['identified', 'Identified'],
  ['partial', 'Partly identified'],
  ['segments', 'Not identified'],
]);

/** Represents no key in an address, where an empty value filters nothing. */
const IN_PORTAL = 'portal';

/** Adds the list of the workspace's decodes, to search and to download. */
export function addDecodes(scope: FastifyInstance, deps: DecodeParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/decodes', (page) => sendList(deps, page));

  routes.get('/decodes.csv', async ({ request, reply, context }) => {
    const { workspace } = context;
    const owner = { subject: subjectOf(callerOf(context)), plan: workspace.plan, workspaceId: workspace.id };
    const filter = filterOf(request.query);
    const { database } = deps;
    const recheck = () => recheckIn(database, context)(database.kysely);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${workspace.slug}-decodes.csv"`)
      .send(
        deps.transfers.send(tenantOf(callerOf(context)), (turn) =>
          whileAllowed(exportDecodes(database, owner, filter, turn), recheck),
        ),
      );
  });
}

/** Reads the filter of an address. Pure. */
function filterOf(query: PageRequest['request']['query']): DecodeFilter {
  const keyId = given(query['key'], 36);
  return {
    search: given(query['search'], 80) ?? '',
    keyId: keyId === IN_PORTAL ? '' : keyId,
    make: given(query['make'], 80),
    outcome: given(query['outcome'], 20),
    ...daysBetween(query['from'], query['until']),
  };
}

async function sendList({ database }: DecodeParts & PageKit, page: PageRequest): Promise<FastifyReply> {
  const { home, workspace } = page.context;
  const { before, ...all } = page.request.query;
  const query = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const subject = subjectOf(callerOf(page.context));
  const [found, keys] = await Promise.all([
    listDecodes(database, subject, { ...filterOf(query), olderThan: given(before, 36), limit: PAGE }, page),
    keyChoices(database, workspace.id, given(query['key'], 36)),
  ]);
  const ids = found.decodes.map(({ keyId }) => keyId);
  const named = await findKeys(database, workspace.id, ids);
  return sendPortalPage(page, {
    tab: '/decodes',
    title: 'Decodes',
    children: <Decodes {...{ found, keys, named, query, home }} />,
  });
}

interface DecodesProps {
  found: DecodePage;
  /** The keys that the filter offers. */
  keys: readonly ApiKey[];
  /** The keys of the decodes, by id. */
  named: ReadonlyMap<string, ApiKey>;
  query: Readonly<Record<string, string>>;
  home: string;
}

function Decodes({ found: { decodes, olderThan }, keys, named, query, home }: DecodesProps) {
  const path = `${home}/decodes`;
  const address = (of: string, more: Record<string, string> = {}): string => {
    const given = new URLSearchParams({ ...query, ...more });
    return given.size === 0 ? of : `${of}?${given.toString()}`;
  };
  const older = olderThan === undefined ? undefined : address(path, { before: olderThan });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <>
      <ListFilters path={path} query={query} keys={keys} />
      {decodes.length === 0 ? null : (
        <p>
          <a href={address(`${path}.csv`)}>{isFiltered ? 'Download all that match as CSV' : 'Download all as CSV'}</a>
        </p>
      )}
      <Table
        rows={decodes}
        empty={<None {...{ home, isFiltered, older }} />}
        more={older === undefined ? undefined : { href: older, text: 'Older decodes' }}
        columns={[
          {
            head: 'Vehicle',
            kind: 'name',
            // The fields that any plan sees.
            cell: ({ id, report }) => <a href={`${path}/${id}`}>{vehicleTitle(project('basic', report))}</a>,
          },
          { head: 'VIN', cell: ({ vin }) => <VinText vin={vin} /> },
          { head: 'Outcome', kind: 'word', cell: ({ outcome }) => OUTCOMES.get(outcome) ?? outcome },
          { head: 'Key', cell: ({ keyId }) => named.get(keyId)?.name ?? (keyId === '' ? 'Portal' : EARLIER_KEY) },
          { head: 'Decoded', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
        ]}
      />
    </>
  );
}

function ListFilters({ path, query, keys }: Pick<DecodesProps, 'query' | 'keys'> & { path: string }) {
  const any = { value: '', text: 'Any' };
  return (
    <Filters action={path} query={query}>
      <Field label="VIN, ID, or model" name="search" value={query['search']} maxLength={80} isFilter />
      <Field label="Make" name="make" value={query['make']} maxLength={80} isFilter />
      <Select
        label="Outcome"
        name="outcome"
        options={[any, ...[...OUTCOMES].map(([value, text]) => ({ value, text }))]}
        value={query['outcome']}
      />
      <Select
        label="Key"
        name="key"
        options={[
          any,
          ...keys.map(({ id, name, last4 }) => ({ value: id, text: `${name} (…${last4})` })),
          { value: IN_PORTAL, text: 'Portal' },
        ]}
        value={query['key']}
      />
      <Field label="From (UTC)" name="from" type="date" value={query['from']} isFilter />
      <Field label="Until (UTC)" name="until" type="date" value={query['until']} isFilter />
    </Filters>
  );
}

function None({ home, isFiltered, older }: { home: string; isFiltered: boolean; older: string | undefined }) {
  if (older !== undefined) {
    return (
      <>
        None of the latest decodes matches. <a href={older}>Search older ones</a>
      </>
    );
  }
  return isFiltered ? (
    <>
      No decode matches. <a href={`${home}/decodes`}>Show all</a>
    </>
  ) : (
    <>
      You have no decodes yet. Decodes from the API and the portal appear here. <a href={`${home}/try`}>Try a VIN</a>
    </>
  );
}
