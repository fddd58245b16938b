import type { FastifyInstance, FastifyReply } from 'fastify';

import type { DecodePageDeps } from '../slice.ts';
import { project } from '../depth.ts';
import { listDecodes } from '../../metering/stored-decodes.ts';
import { subjectOf } from '../../metering/index.ts';
import { Field } from '../../kernel/ui/fields.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { vehicleTitle } from '../../report/report-rows.ts';
import { callerOf, type PageRequest, workspaceRoutes } from '../../workspaces/pages/context.ts';
import { sendPortalPage } from '../../workspaces/pages/frame.tsx';
import { Table } from '../../kernel/ui/table.tsx';

const PAGE = 50;

/** Adds the list of the workspace's decodes, to search. */
export function addDecodes(scope: FastifyInstance, deps: DecodePageDeps): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/decodes', (page) => sendList(deps, page));
}

async function sendList(deps: DecodePageDeps, page: PageRequest): Promise<FastifyReply> {
  const { home } = page.context;
  const { before } = page.request.query;
  const search = (page.request.query['search'] ?? '').trim().slice(0, 80);
  const subject = subjectOf(callerOf(page.context));
  const { decodes, olderThan } = await listDecodes(deps.database, subject, { search, olderThan: before, limit: PAGE });
  const path = `${home}/decodes`;
  const pageBefore = (id: string): string =>
    `${path}?${new URLSearchParams({ ...(search === '' ? {} : { search }), before: id }).toString()}`;
  return sendPortalPage(page, {
    tab: '/decodes',
    title: 'Decodes',
    children: (
      <>
        <form class="row" method="get" action={path}>
          <Field
            label="Search"
            name="search"
            value={search}
            maxLength={80}
            hint="VIN, make, model, or year."
            isFilter
          />
          <button>Search</button>
        </form>
        <Table
          rows={decodes}
          empty={<None home={home} search={search} />}
          more={olderThan === undefined ? undefined : { href: pageBefore(olderThan), text: 'Older decodes' }}
          columns={[
            {
              head: 'Vehicle',
              kind: 'name',
              // What any plan sees.
              cell: ({ id, report }) => <a href={`${path}/${id}`}>{vehicleTitle(project('basic', report))}</a>,
            },
            { head: 'VIN', cell: ({ vin }) => <VinText vin={vin} /> },
            { head: 'Decoded', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
          ]}
        />
      </>
    ),
  });
}

function None({ home, search }: { home: string; search: string }) {
  return (
    <>
      {search === ''
        ? 'You have no decodes yet. Decodes from the API and the portal appear here. '
        : 'No decode matches your search. '}
      {search === '' ? <a href={`${home}/try`}>Try a VIN</a> : <a href={`${home}/decodes`}>Show all</a>}
    </>
  );
}
