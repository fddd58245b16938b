import type { FastifyInstance } from 'fastify';

import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { listKeys, type ApiKey } from '../../workspaces/index.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { monthOf, type UsageWindow } from '../../kernel/db/month.ts';
import { BarChart, LineChart } from '../../kernel/ui/chart.tsx';
import { Notice } from '../../kernel/ui/fields.tsx';
import { limitText } from '../../workspaces/pages/plan-table.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { dayText, monthText } from '../../kernel/ui/times.tsx';
import { type MonthUsage, usageReport, workspaceSubject } from '../index.ts';
import { workspaceRoutes } from '../../workspaces/pages/context.ts';
import { dailyUsage, type Forecast, forecastOf } from './forecast.ts';
import { sendPortalPage } from '../../workspaces/pages/frame.tsx';
import { Table } from '../../kernel/ui/table.tsx';

interface UsageView {
  home: string;
  nowMs: number;
  window: UsageWindow;
  limit: number | null;
  months: MonthUsage[];
  keys: ApiKey[];
}

/** Adds the portal's first page: usage. */
export function addUsage(scope: FastifyInstance, deps: PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('', async (page) => {
    const { home, limit, workspace } = page.context;
    const nowMs = deps.clock();
    const [months, keys] = await Promise.all([
      usageReport(deps.database, workspaceSubject(workspace.id), nowMs),
      listKeys(deps.database, workspace.id),
    ]);
    const view = { home, nowMs, window: monthOf(nowMs), limit, months, keys };
    return sendPortalPage(page, { tab: '', title: 'Usage', children: <UsagePage {...view} /> });
  });
}

/** What this month's figures and charts are drawn from. */
interface MonthView extends Pick<UsageView, 'window' | 'limit' | 'home'> {
  used: number;
  daily: readonly number[];
  forecast: Forecast | undefined;
}

function UsagePage(view: UsageView) {
  const { nowMs, window, limit, months, home } = view;
  const [month] = months;
  const daily = month === undefined ? [] : dailyUsage(month, window, nowMs);
  const used = month?.charged ?? 0;
  const current: MonthView = { window, limit, home, used, daily, forecast: forecastOf(daily, window, nowMs, limit) };
  return (
    <>
      <Warning {...current} />
      <Figures {...current} />
      {used === 0 ? <Empty home={home} hasKey={view.keys.length > 0} /> : <Charts {...current} />}
      <ByKey {...view} />
      <Months months={months} />
    </>
  );
}

/** Amber from 80 % on, red at the limit: with what can be done. */
function Warning({ used, limit, window, home }: MonthView) {
  if (limit === null || used < limit * 0.8) return null;
  const isOver = used >= limit;
  return (
    <Notice tone={isOver ? 'bad' : 'warn'}>
      <p>
        {isOver
          ? `All ${count(limit)} decodes of this month are used. More are refused until ${dayText(window.endMs)} (UTC).`
          : `${Math.floor((used / limit) * 100)}% of this month's ${count(limit)} decodes are used.`}{' '}
        <a href={`${home}/plan`}>Compare the plans</a>.
      </p>
    </Notice>
  );
}

function Figures({ used, limit, window, forecast }: MonthView) {
  return (
    <Stats
      figures={[
        {
          label: `Used in ${monthText(window.startMs)}`,
          value: count(used),
          note: `of ${limit === null ? 'no limit' : `${limitText(limit)} decodes`}`,
        },
        {
          label: 'Left',
          value: limit === null ? 'No limit' : count(Math.max(0, limit - used)),
          note: `resets on ${dayText(window.endMs)} (UTC)`,
        },
        {
          label: 'Forecast for the month',
          value: forecast === undefined ? '–' : count(Math.min(forecast.atEnd, Math.max(limit ?? Infinity, used))),
          note: forecastText(forecast, used, limit),
        },
      ]}
    />
  );
}

function forecastText(forecast: Forecast | undefined, used: number, limit: number | null): string {
  if (forecast === undefined) return 'shown after the first decodes';
  if (limit !== null && used >= limit) return 'limit reached: decodes are refused';
  if (forecast.limitReachedMs !== undefined) return `the limit is reached on ${dayText(forecast.limitReachedMs)}`;
  return 'at the rate of the last 7 days';
}

function Empty({ home, hasKey }: { home: string; hasKey: boolean }) {
  return (
    <p class="empty">
      No decodes this month yet. Each day's decodes appear here, with the forecast for the month.{' '}
      <a href={`${home}/try`}>Try a VIN</a>, or{' '}
      {hasKey ? <a href="/docs">make a call with your key</a> : <a href={`${home}/keys`}>create your first key</a>}.
    </p>
  );
}

function Charts({ daily, window, limit, forecast }: MonthView) {
  const places = Math.round((window.endMs - window.startMs) / DAY_MS);
  const ticks = [0, 7, 14, 21, 28].filter((place) => place < places).map((place) => ({ place, text: `${place + 1}` }));
  const month = monthText(window.startMs);
  const sums: number[] = [];
  for (const value of daily) sums.push((sums.at(-1) ?? 0) + value);
  return (
    <section aria-label={`Usage in ${month}`}>
      <div class="columns">
        <div class="stack">
          <h2>Decodes per day</h2>
          <BarChart
            label={`Decodes for each day of ${month}; the table below has the figures.`}
            ticks={ticks}
            places={places}
            bars={daily.map((value, day) => ({ value, title: `${day + 1} ${month}: ${count(value)}` }))}
          />
        </div>
        <div class="stack">
          <h2>The month so far</h2>
          <LineChart
            label={`Total decodes in ${month}, with the forecast; the table below has the figures.`}
            ticks={ticks}
            places={places}
            values={sums}
            forecast={forecast?.atEnd}
            limit={limit ?? undefined}
          />
        </div>
      </div>
      <DayTable daily={daily} sums={sums} startMs={window.startMs} />
    </section>
  );
}

function DayTable(props: { daily: readonly number[]; sums: readonly number[]; startMs: number }) {
  const { daily, sums, startMs } = props;
  return (
    <details>
      <summary>Show as a table</summary>
      <Table
        rows={daily.map((value, day) => ({ value, sum: sums[day] ?? 0, dayMs: startMs + day * DAY_MS }))}
        columns={[
          { head: 'Day', cell: ({ dayMs }) => dayText(dayMs) },
          { head: 'Decodes', kind: 'figure', cell: ({ value }) => count(value) },
          { head: 'So far', kind: 'figure', cell: ({ sum }) => count(sum) },
        ]}
      />
    </details>
  );
}

function usedBy(usage: MonthUsage | undefined, keyId: string): number {
  return usage?.keys.find((key) => key.keyId === keyId)?.charged ?? 0;
}

function ByKey({ months, keys }: UsageView) {
  const [month, before] = months;
  const rows = [
    ...keys.map(({ id, name, prefix, last4 }) => ({ id, name, looksLike: `${prefix}…${last4}` })),
    { id: '', name: 'Portal', looksLike: '' },
  ].filter(({ id }) => usedBy(month, id) + usedBy(before, id) > 0);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>By key</h2>
      <Table
        rows={rows}
        columns={[
          { head: 'Name', kind: 'name', cell: ({ name }) => name },
          { head: 'Key', kind: 'code', cell: ({ looksLike }) => (looksLike === '' ? '–' : looksLike) },
          { head: 'This month', kind: 'figure', cell: ({ id }) => count(usedBy(month, id)) },
          { head: 'Last month', kind: 'figure', cell: ({ id }) => count(usedBy(before, id)) },
        ]}
      />
    </section>
  );
}

function Months({ months }: { months: readonly MonthUsage[] }) {
  const used = months.slice(1).filter(({ charged }) => charged > 0);
  if (used.length === 0) return null;
  return (
    <section>
      <h2>Earlier months</h2>
      <Table
        rows={used}
        columns={[
          { head: 'Month', kind: 'name', cell: ({ startMs }) => monthText(startMs) },
          { head: 'Decodes', kind: 'figure', cell: ({ charged }) => count(charged) },
        ]}
      />
    </section>
  );
}
