import type { FastifyInstance, FastifyReply } from 'fastify';

import type { PageDeps } from '../deps.ts';
import { project } from '../../features/decode/depth.ts';
import { listDecodes, type StoredDecode } from '../../features/decode/stored.ts';
import { subjectOf } from '../../features/usage/index.ts';
import { Moment } from '../../platform/ui/times.tsx';
import { VinText } from '../../platform/ui/vin-plate.tsx';
import { vehicleTitle } from '../shared/report-rows.ts';
import { callerOf, type PageRequest, workspaceRoutes } from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Table } from '../../platform/ui/table.tsx';

const PAGE = 50;

/** Adds the list of the workspace's decodes, to search. */
export function addDecodes(scope: FastifyInstance, deps: PageDeps): void {
  workspaceRoutes(scope, deps).get('/decodes', (page) => sendList(deps, page));
}

async function sendList(deps: PageDeps, page: PageRequest): Promise<FastifyReply> {
  const { home } = page.context;
  const { before } = page.request.query;
  const search = (page.request.query['search'] ?? '').trim().slice(0, 80);
  const subject = subjectOf(callerOf(page.context));
  const { decodes, olderThan } = await listDecodes(deps.database, subject, { search, olderThan: before, limit: PAGE });
  const path = `${home}/decodes`;
  return sendPortalPage(page, {
    tab: '/decodes',
    title: 'Decodes',
    children: (
      <>
        <form class="row" method="get" action={path}>
          <div class="field">
            <label for="search">Search</label>
            <input
              id="search"
              name="search"
              type="search"
              value={search}
              maxLength={80}
              aria-describedby="search-hint"
            />
            <p class="hint" id="search-hint">
              VIN, make, model, or year.
            </p>
          </div>
          <button>Search</button>
        </form>
        <DecodeTable
          decodes={decodes}
          path={path}
          search={search}
          older={
            olderThan === undefined
              ? undefined
              : `${path}?${new URLSearchParams({ ...(search === '' ? {} : { search }), before: olderThan }).toString()}`
          }
          home={home}
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

interface DecodeTableProps {
  decodes: readonly StoredDecode[];
  home: string;
  path: string;
  search: string;
  older: string | undefined;
}

function DecodeTable({ decodes, home, path, search, older }: DecodeTableProps) {
  return (
    <Table
      rows={decodes}
      empty={<None home={home} search={search} />}
      more={older === undefined ? undefined : { href: older, text: 'Older decodes' }}
      columns={[
        {
          head: 'Vehicle',
          kind: 'name',
          cell: ({ id, report }) => <a href={`${path}/${id}`}>{vehicleTitle(basicOf(report))}</a>,
        },
        { head: 'VIN', cell: ({ vin }) => <VinText vin={vin} /> },
        { head: 'Decoded (UTC)', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
      ]}
    />
  );
}

/** What any plan sees. */
function basicOf(report: StoredDecode['report']): Record<string, unknown> {
  return project('basic', report);
}
