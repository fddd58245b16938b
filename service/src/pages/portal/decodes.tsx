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
        {decodes.length === 0 ? <None slug={slug} search={search} /> : <DecodeTable decodes={decodes} path={path} />}
        {olderThan === undefined ? null : (
          <a
            href={`${path}?${new URLSearchParams({ ...(search === '' ? {} : { search }), before: olderThan }).toString()}`}
          >
            Older decodes
          </a>
        )}
      </>
    ),
  });
}

function None({ slug, search }: { slug: string; search: string }) {
  return (
    <p class="empty">
      {search === ''
        ? 'Your decodes will stand here, from the API and the portal alike. '
        : 'No decode here holds these words. '}
      {search === '' ? <a href={`/portal/${slug}/try`}>Try a VIN</a> : <a href={`/portal/${slug}/decodes`}>Show all</a>}
    </p>
  );
}

function DecodeTable({ decodes, path }: { decodes: readonly StoredDecode[]; path: string }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Vehicle</th>
          <th scope="col">VIN</th>
          <th scope="col">Decoded (UTC)</th>
        </tr>
      </thead>
      <tbody>
        {decodes.map(({ id, vin, report, createdAtMs }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`${path}/${id}`}>{vehicleTitle(basicOf(report))}</a>
            </th>
            <td data-label="VIN">
              <VinText vin={vin} />
            </td>
            <td data-label="Decoded (UTC)">
              <Moment ms={createdAtMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
