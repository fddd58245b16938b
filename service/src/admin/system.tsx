import type { FastifyInstance } from 'fastify';

import type { AdminParts } from './slice.ts';
import { DAY_MS, HOUR_MS } from '../kernel/clock.ts';
import { catalogVersion, importedRegisters, type ImportedRegister, overlayInForce } from '../catalog/index.ts';
import { countResults, type SourceStatus } from '../enrichment/index.ts';
import { chargedByDay, outcomesSince } from '../metering/index.ts';
import { dayOf } from '../kernel/db/month.ts';
import { BarChart } from '../kernel/ui/chart.tsx';
import { count } from '../kernel/ui/numbers.ts';
import { Facts, Stats } from '../kernel/ui/stats.tsx';
import { Day, dayText, Moment, shortDay } from '../kernel/ui/times.tsx';
import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import { tallyOf } from '../kernel/ui/vitals.ts';
import { Checks, Errors, Queues, readOperations, Versions } from './operations.tsx';
import { Table } from '../kernel/ui/table.tsx';
import type { PageKit } from '../kernel/ui/page-kit.ts';

const DAYS = 30;

/** Adds the view of the service's state. */
export function addSystem(scope: FastifyInstance, deps: AdminParts & PageKit): void {
  scope.get('/admin/system', async (_request, reply) => {
    const nowMs = deps.clock();
    const [operations, daily, outcomes, sources, results, registers, learned, fault] = await Promise.all([
      readOperations(deps.database, nowMs, deps.queues),
      chargedByDay(deps.database, nowMs, DAYS),
      // An hour, so that the look stays quick however busy it is.
      outcomesSince(deps.database, nowMs - HOUR_MS),
      deps.enrichment?.statuses() ?? [],
      countResults(deps.database, nowMs),
      importedRegisters(deps.database),
      overlayInForce(deps.database),
      deps.fault(),
    ]);
    const catalog = [
      catalogVersion(deps.decoder.info),
      ...(learned === undefined ? [] : [`${count(learned.rows)} learned rows`]),
      ...(registers.length === 0 ? [] : [`registers: ${registers.map(({ id }) => id).join(', ')}`]),
    ].join('; ');
    const requests = tallyOf(deps.vitals.minutes, nowMs - HOUR_MS);
    const checked = {
      ...operations,
      nowMs,
      fault,
      requests,
      waiting: deps.chargesWaiting(),
      catalog,
      server: deps.serverState(),
    };
    return sendAdminPage(reply, {
      tab: '/admin/system',
      title: 'System',
      children: (
        <>
          <Checks checked={checked} />
          <Queues backlogs={operations.backlogs} />
          <Errors failures={deps.failures.latest} />
          <Decodes daily={daily} nowMs={nowMs} />
          <LastHour outcomes={outcomes} />
          <Latencies deps={deps} />
          <div class="columns">
            <Versions operations={operations} />
            <Catalog deps={deps} />
          </div>
          <Registers registers={registers} />
          <Enrichment sources={sources} results={results} />
        </>
      ),
    });
  });
}

function Decodes({ daily, nowMs }: { daily: readonly number[]; nowMs: number }) {
  const startOf = (day: number): number => dayOf(nowMs) - (DAYS - 1 - day) * DAY_MS;
  const ticks = [1, 8, 15, 22, 28].map((place) => ({ place, text: shortDay(startOf(place)) }));
  return (
    <section>
      <h2>Decodes per day</h2>
      <BarChart
        label="Charged decodes on each of the last 30 days; the table below has the figures."
        ticks={ticks}
        places={DAYS}
        bars={daily.map((value, day) => ({ value, title: `${dayText(startOf(day))}: ${count(value)}` }))}
      />
      <details>
        <summary>Show as a table</summary>
        <Table
          rows={daily.map((value, day) => ({ value, startMs: startOf(day) }))}
          columns={[
            { head: 'Day', cell: ({ startMs }) => <Day ms={startMs} /> },
            { head: 'Decodes', kind: 'figure', cell: ({ value }) => count(value) },
          ]}
        />
      </details>
    </section>
  );
}

const OUTCOMES = [
  ['identified', 'Make and model'],
  ['partial', 'Make only'],
  ['segments', 'Not identified'],
  ['pending', 'Pending, not charged'],
] as const;

function LastHour({ outcomes }: { outcomes: ReadonlyMap<string, number> }) {
  const all = [...outcomes.values()].reduce((sum, value) => sum + value, 0);
  const figures = OUTCOMES.map(([outcome, label]) => {
    const value = outcomes.get(outcome) ?? 0;
    return { label, value: count(value), note: `${((value / all) * 100).toFixed(1)}%` };
  });
  return (
    <section>
      <h2>Coverage in the last hour</h2>
      {all === 0 ? <p class="empty">Nothing was decoded in the last hour.</p> : <Stats figures={figures} />}
    </section>
  );
}

function Latencies({ deps: { latency } }: { deps: AdminParts & PageKit }) {
  const shares = [
    [0.5, 'Median'],
    [0.9, '90th percentile'],
    [0.99, '99th percentile'],
  ] as const;
  const figures = shares.map(([share, label]) => ({
    label,
    value: `${latency.quantile(share)?.toFixed(1) ?? '–'}\u00a0ms`,
  }));
  return (
    <section>
      <h2>Response time</h2>
      {latency.samples === 0 ? (
        <p class="empty">This instance has decoded nothing through the API since it started.</p>
      ) : (
        <>
          <p class="hint">The last {count(latency.samples)} decodes of this instance.</p>
          <Stats figures={figures} />
        </>
      )}
    </section>
  );
}

function Catalog({ deps: { decoder } }: { deps: AdminParts & PageKit }) {
  const { hash, bytes, wmis, vpicSchemas, vpicRows, worldProfiles, worldRows } = decoder.info;
  return (
    <section>
      <h2>Catalog</h2>
      <Facts
        facts={[
          ['Version', hash.slice(0, 12)],
          ['Size', `${(bytes / 1_048_576).toFixed(1)}\u00a0MiB`],
          ['Makers (WMIs)', count(wmis)],
          ['North America (vPIC)', `${count(vpicSchemas)} schemas, ${count(vpicRows)} rows`],
          ['Elsewhere', `${count(worldProfiles)} layouts, ${count(worldRows)} rows`],
        ]}
      />
    </section>
  );
}

/** Contributions of registers, as text. */
const REGISTERED: Readonly<Record<string, string>> = {
  family: 'make and model',
  bodies: 'body',
  years: 'model years',
  built: 'model years',
  cc: 'displacement',
  emissions: 'Euro norm',
  powerKw: 'power',
  lengthMm: 'length',
  widthMm: 'width',
  heightMm: 'height',
  wheelbaseMm: 'wheelbase',
  curbKg: 'curb weight',
  grossKg: 'gross weight',
};

function Registers({ registers }: { registers: readonly ImportedRegister[] }) {
  if (registers.length === 0) return null;
  return (
    <section>
      <h2>Registers</h2>
      <p class="hint">
        Official registers of cars, and recalls by ranges of VINs, that answer where the catalog leaves a field open.
      </p>
      <Table
        rows={registers}
        columns={[
          { head: 'Register', kind: 'name', cell: ({ id }) => id },
          { head: 'Imported', cell: ({ importedAtMs }) => <Moment ms={importedAtMs} /> },
          { head: 'Cars or ranges', kind: 'figure', cell: ({ cars }) => count(cars) },
          {
            head: 'Fields',
            cell: ({ fields }) => fields.map(({ field }) => REGISTERED[field] ?? field).join(', ') || 'none',
          },
        ]}
      />
    </section>
  );
}

function Enrichment(props: { sources: readonly SourceStatus[]; results: { found: number; nothing: number } }) {
  const { sources, results } = props;
  return (
    <section>
      <h2>Enrichment</h2>
      {sources.length === 0 ? (
        <p class="empty">No source is configured, so no VIN is ever pending. To add one, set ENRICHMENT_VPIC_URL.</p>
      ) : (
        <>
          <p>
            VINs with a stored result: {count(results.found)}. VINs that no source knows: {count(results.nothing)}.
          </p>
          <Table
            rows={sources}
            columns={[
              { head: 'Source', kind: 'name', cell: ({ name }) => name },
              {
                head: 'State',
                cell: ({ state }) => <span class={`tag ${state === 'open' ? 'good' : 'warn'}`}>{state}</span>,
              },
              { head: 'Waiting', kind: 'figure', cell: ({ waiting }) => count(waiting) },
              {
                head: 'Oldest',
                kind: 'figure',
                cell: ({ oldestAgeMs }) =>
                  oldestAgeMs === undefined ? '–' : `${count(Math.round(oldestAgeMs / 1000))}\u00a0s`,
              },
              {
                head: 'Answered',
                kind: 'figure',
                cell: ({ successRate }) => (successRate === undefined ? '–' : `${(successRate * 100).toFixed(1)}%`),
              },
              {
                head: 'Median',
                kind: 'figure',
                cell: ({ p50Ms }) => (p50Ms === undefined ? '–' : `${count(Math.round(p50Ms))}\u00a0ms`),
              },
            ]}
          />
        </>
      )}
    </section>
  );
}
