import type { FastifyInstance } from 'fastify';

import { administratorOf } from '../../features/accounts/guard.ts';
import type { ReportState, ReportSummary } from '../../features/corrections/index.ts';
import { Field, Select } from '../../platform/ui/fields.tsx';
import { count } from '../../platform/ui/numbers.ts';
import { ReportStateTag } from '../shared/report-state.tsx';
import { Moment } from '../../platform/ui/times.tsx';
import { VinText } from '../../platform/ui/vin-plate.tsx';
import type { AdminDeps } from './context.ts';
import { sendAdminPage } from './frame.tsx';

const PAGE = 50;
const STATES = ['queued', 'accepted', 'rejected', 'superseded', 'reverted'] as const satisfies readonly ReportState[];

interface QueueQuery {
  Querystring: { state?: string; vin?: string; after?: string };
}

/** Adds the queue of reports, with filters: the first page of administration. */
export function addQueue(scope: FastifyInstance, { corrections }: AdminDeps): void {
  scope.get<QueueQuery>('/admin', { schema: { hide: true } }, async (request, reply) => {
    administratorOf(request);
    const { vin = '', after } = request.query;
    const state = STATES.find((known) => known === request.query.state) ?? 'queued';
    const [found, queued] = await Promise.all([
      corrections.list({
        state,
        limit: PAGE + 1,
        ...(vin === '' ? {} : { vin: vin.slice(0, 64) }),
        ...(after === undefined ? {} : { after }),
      }),
      corrections.countQueued(),
    ]);
    const reports = found.slice(0, PAGE);
    const last = found.length > PAGE ? reports.at(-1) : undefined;
    const next = new URLSearchParams({ state, vin, after: last?.id ?? '' });
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
            <button>Show</button>
          </form>
          <Reports reports={reports} state={state} />
          {last === undefined ? null : <a href={`/admin?${next.toString()}`}>More reports</a>}
        </>
      ),
    });
  });
}

function waitingText(queued: number): string {
  if (queued === 0) return 'Nothing waits for review.';
  return queued === 1 ? 'One report waits for review.' : `${count(queued)} reports wait for review.`;
}

function Reports({ reports, state }: { reports: readonly ReportSummary[]; state: ReportState }) {
  if (reports.length === 0) {
    return (
      <p class="empty">
        {state === 'queued'
          ? 'Reports of wrong decodes will stand here, the oldest first. They come from the API, the portal and the public.'
          : `No report is ${state}.`}
      </p>
    );
  }
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">VIN</th>
          <th scope="col">Expected</th>
          <th scope="col">From</th>
          <th scope="col">Sent (UTC)</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {reports.map(({ id, claim, source, state: own, duplicates, createdAtMs }, place) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/admin/reports/${id}`} data-key={place === 0 ? 'n' : undefined}>
                <VinText vin={claim.vin} />
              </a>
            </th>
            <td data-label="Expected">
              {[claim.expectedModelYear, claim.expectedManufacturer, claim.expectedModel].join(' ')}
            </td>
            <td data-label="From">
              {source}
              {duplicates === 0 ? '' : `, and ${count(duplicates)} that say the same`}
            </td>
            <td data-label="Sent (UTC)">
              <Moment ms={createdAtMs} />
            </td>
            <td data-label="State">
              <ReportStateTag state={own} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
