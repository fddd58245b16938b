import type { FastifyInstance, FastifyRequest } from 'fastify';

import { notFound } from '../../features/accounts/guard.ts';
import { project, depthOf, metadataFor } from '../../features/decode/depth.ts';
import { findDecode, listDecodes, type StoredDecode } from '../../features/decode/stored.ts';
import { subjectOf } from '../../features/usage/index.ts';
import { csvLine, harmless } from '../../platform/csv/csv.ts';
import { dayText, Moment } from '../../platform/ui/times.tsx';
import { VinText } from '../../platform/ui/vin-plate.tsx';
import { rowGroups, titleLine, vehicleTitle } from '../shared/report-rows.ts';
import { ReportView } from '../shared/report-view.tsx';
import {
  callerOf,
  type PortalDeps,
  type WorkspaceContext,
  type PageRequest,
  contextOf,
  type WorkspaceRoute,
} from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Table } from '../../platform/ui/table.tsx';

const HIDDEN = { schema: { hide: true } };
const PAGE = 50;

interface DecodeRoute {
  Params: { slug: string; id: string };
}

interface ListQuery {
  Querystring: { search?: string; before?: string };
}

/** Adds the workspace's decodes: a list to search, and a page of its own for each, free to come back to. */
export function addDecodes(scope: FastifyInstance, deps: PortalDeps): void {
  scope.get<WorkspaceRoute & ListQuery>('/portal/:slug/decodes', HIDDEN, async (request, reply) => {
    const pageRequest = { request, reply, context: await contextOf(deps, request) };
    return sendList(deps, pageRequest, (request.query.search ?? '').trim().slice(0, 80), request.query.before);
  });

  scope.get<DecodeRoute>('/portal/:slug/decodes/:id', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const decode = await decodeOf(deps, context, request);
    return sendDecode(deps, { request, reply, context }, decode);
  });

  scope.get<DecodeRoute>('/portal/:slug/decodes/:id/csv', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const { vin, report } = await decodeOf(deps, context, request);
    const rows = rowGroups(project(depthOf(context.workspace.plan), report)).flatMap((group) => group.rows);
    const lines = [['VIN', vin], ...rows.map(({ label, text }) => [label, text.replaceAll('\u00a0', ' ')])];
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${vin.replace(/\W/g, '')}.csv"`)
      .send(['Field,Value', ...lines.map((cells) => csvLine(cells.map(harmless), ','))].join('\r\n').concat('\r\n'));
  });
}

/** The decode of a request. @throws a 404 when it is another workspace's, or is not there. */
async function decodeOf(
  deps: PortalDeps,
  context: WorkspaceContext,
  request: FastifyRequest<DecodeRoute>,
): Promise<StoredDecode> {
  const decode = await findDecode(deps.database, subjectOf(callerOf(context)), request.params.id);
  if (decode === undefined) throw notFound();
  return decode;
}

async function sendList(deps: PortalDeps, pageRequest: PageRequest, search: string, before: string | undefined) {
  const { slug } = pageRequest.context.workspace;
  const subject = subjectOf(callerOf(pageRequest.context));
  const { decodes, olderThan } = await listDecodes(deps.database, subject, { search, olderThan: before, limit: PAGE });
  const path = `/portal/${slug}/decodes`;
  return sendPortalPage(pageRequest, {
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
              VIN, make, model or year.
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
          slug={slug}
        />
      </>
    ),
  });
}

function None({ slug, search }: { slug: string; search: string }) {
  return (
    <>
      {search === ''
        ? 'Your decodes will stand here, from the API and the portal alike. '
        : 'No decode here holds these words. '}
      {search === '' ? <a href={`/portal/${slug}/try`}>Try a VIN</a> : <a href={`/portal/${slug}/decodes`}>Show all</a>}
    </>
  );
}

interface DecodeTableProps {
  decodes: readonly StoredDecode[];
  slug: string;
  path: string;
  search: string;
  older: string | undefined;
}

function DecodeTable({ decodes, slug, path, search, older }: DecodeTableProps) {
  return (
    <Table
      rows={decodes}
      empty={<None slug={slug} search={search} />}
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

function sendDecode(deps: PortalDeps, pageRequest: PageRequest, decode: StoredDecode) {
  const { slug, plan } = pageRequest.context.workspace;
  const report = project(depthOf(plan), decode.report);
  const path = `/portal/${slug}/decodes/${decode.id}`;
  const metadata = metadataFor(plan, decode.report);
  return sendPortalPage(pageRequest, {
    tab: '/decodes',
    title: titleLine(report),
    children: (
      <>
        <p class="hint">Decoded on {dayText(decode.createdAtMs)} (UTC). Coming back to this page is free.</p>
        <Actions path={path} vin={decode.vin} link={deps.baseUrl() + path} slug={slug} />
        <ReportView
          report={report}
          body={{ report, metadata }}
          moreFields={depthOf(plan) === 'full' ? 0 : metadata.premiumFieldsAvailable}
          plans={`/portal/${slug}/plan`}
        />
      </>
    ),
  });
}

function Actions({ path, vin, link, slug }: { path: string; vin: string; link: string; slug: string }) {
  return (
    <div class="acts no-print">
      <span hidden id="decode-link">
        {link}
      </span>
      <span hidden id="decode-vin">
        {vin}
      </span>
      <button type="button" data-copy="decode-link" hidden>
        Copy link
      </button>
      <button type="button" data-copy="decode-vin" hidden>
        Copy VIN
      </button>
      <button type="button" data-print hidden>
        Print
      </button>
      <a class="button" href={`${path}/csv`}>
        Download CSV
      </a>
      <a href={`/portal/${slug}/reports?vin=${encodeURIComponent(vin)}`}>Report this decode as wrong</a>
    </div>
  );
}
