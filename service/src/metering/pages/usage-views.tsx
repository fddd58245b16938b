import { DAY_MS } from '../../kernel/clock.ts';
import type { UsageWindow } from '../../kernel/db/month.ts';
import { BarChart, LineChart } from '../../kernel/ui/chart.tsx';
import { Notice } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { type Figure, Stats } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Day, Moment, monthText, shortDay } from '../../kernel/ui/times.tsx';
import { limitText } from '../../workspaces/pages/plan-table.tsx';
import type { MonthUsage } from '../index.ts';
import { dailyUsage, type Forecast, forecastOf } from './forecast.ts';

/** A key as the page names it. */
export interface NamedKey {
  id: string;
  name: string;
  looksLike: string;
}

/** Stands for the decodes that were made in the portal, which need no key. */
export const PORTAL_KEY: NamedKey = { id: '', name: 'Portal', looksLike: '' };

interface UsageView {
  home: string;
  nowMs: number;
  /** The month that is looked at. */
  window: UsageWindow;
  /** Its place among the months; 0: it is not over. */
  place: number;
  limit: number | null;
  months: readonly MonthUsage[];
  keys: readonly NamedKey[];
  /** The key that the charts are narrowed to, and its month. */
  key: NamedKey | undefined;
  ofKey: MonthUsage | undefined;
}

/** What a month's figures and charts are drawn from. */
interface MonthView extends Pick<UsageView, 'window' | 'place' | 'limit' | 'home' | 'key'> {
  used: number;
  daily: readonly number[];
  forecast: Forecast | undefined;
}

/** A month as an address names it: "2026-11". */
export function monthName(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 7);
}

/** The usage of a month: of the whole workspace, and day by day also of one key. */
export function UsagePage(view: UsageView) {
  const { nowMs, window, place, limit, months, home, key, ofKey, keys } = view;
  const month = months[place];
  const dailyOf = (of: MonthUsage | undefined): number[] => (of === undefined ? [] : dailyUsage(of, window, nowMs));
  const daily = dailyOf(month);
  const used = month?.charged ?? 0;
  const forecast = place === 0 ? forecastOf(daily, window, nowMs, limit) : undefined;
  const whole: MonthView = { window, place, limit, home, key: undefined, used, daily, forecast };
  const drawn: MonthView =
    ofKey === undefined
      ? whole
      : { ...whole, key, limit: null, used: ofKey.charged, daily: dailyOf(ofKey), forecast: undefined };
  return (
    <>
      <OtherMonths {...view} />
      {place === 0 ? <Warning {...whole} /> : null}
      <Stats figures={place === 0 ? figuresNow(whole) : figuresOf(whole)} />
      {used === 0 ? <Empty home={home} place={place} hasKey={keys.length > 1} /> : <Charts {...drawn} />}
      <ByKey {...view} />
      <Months {...view} />
    </>
  );
}

/** Leads to the months before and after the one that is looked at. */
function OtherMonths({ home, months, place }: UsageView) {
  const [earlier, later] = [months[place + 1], months[place - 1]];
  const hasEarlier = months.slice(place + 1).some(({ charged }) => charged > 0);
  if (!hasEarlier && later === undefined) return null;
  return (
    <nav class="months" aria-label="Months">
      {earlier === undefined || !hasEarlier ? null : (
        <span>
          ← <MonthLink home={home} startMs={earlier.startMs} place={place + 1} />
        </span>
      )}
      {later === undefined ? null : (
        <span>
          <MonthLink home={home} startMs={later.startMs} place={place - 1} /> →
        </span>
      )}
    </nav>
  );
}

function MonthLink({ home, startMs, place }: { home: string; startMs: number; place: number }) {
  return <a href={place === 0 ? home : `${home}?month=${monthName(startMs)}`}>{monthText(startMs)}</a>;
}

/** Amber from 80 % on, red at the limit: with what can be done. */
function Warning({ used, limit, window, home }: MonthView) {
  if (limit === null || used < limit * 0.8) return null;
  const isOver = used >= limit;
  return (
    <Notice tone={isOver ? 'bad' : 'warn'}>
      <p>
        {isOver ? (
          <>
            All {count(limit)} decodes of this month are used. More are refused until <Moment ms={window.endMs} />.
          </>
        ) : (
          `${Math.floor((used / limit) * 100)}% of this month's ${count(limit)} decodes are used.`
        )}{' '}
        <a href={`${home}/plan`}>Compare the plans</a>.
      </p>
    </Notice>
  );
}

function figuresNow(month: MonthView): Figure[] {
  const { used, limit, window, forecast } = month;
  return [
    {
      label: `Used in ${monthText(window.startMs)}`,
      value: count(used),
      note: `of ${limit === null ? 'no limit' : `${limitText(limit)} decodes`}`,
    },
    {
      label: 'Left',
      value: limit === null ? 'No limit' : count(Math.max(0, limit - used)),
      note: (
        <>
          resets <Moment ms={window.endMs} />
        </>
      ),
    },
    {
      label: 'Forecast for the month',
      value: forecast === undefined ? '–' : count(Math.min(forecast.atEnd, Math.max(limit ?? Infinity, used))),
      note: <ForecastNote {...month} />,
    },
  ];
}

function ForecastNote({ forecast, used, limit }: MonthView) {
  if (forecast === undefined) return <>shown after the first decodes</>;
  if (limit !== null && used >= limit) return <>limit reached: decodes are refused</>;
  if (forecast.limitReachedMs === undefined) return <>at the rate of the last 7 days</>;
  return (
    <>
      the limit is reached on <Day ms={forecast.limitReachedMs} />
    </>
  );
}

/** A month that is over. What its limit was is not kept. */
function figuresOf({ used, window, daily }: MonthView): Figure[] {
  const most = Math.max(0, ...daily);
  return [
    { label: `Used in ${monthText(window.startMs)}`, value: count(used), note: 'decodes' },
    { label: 'A day', value: count(Math.round(used / Math.max(1, daily.length))), note: 'on average' },
    {
      label: 'Busiest day',
      value: count(most),
      note: most === 0 ? '–' : <Day ms={window.startMs + daily.indexOf(most) * DAY_MS} />,
    },
  ];
}

function Empty({ home, place, hasKey }: { home: string; place: number; hasKey: boolean }) {
  if (place > 0) return <p class="empty">There were no decodes in this month.</p>;
  return (
    <p class="empty">
      No decodes this month yet. Each day's decodes appear here, with the forecast for the month.{' '}
      <a href={`${home}/try`}>Try a VIN</a>, or{' '}
      {hasKey ? <a href="/docs">make a call with your key</a> : <a href={`${home}/keys`}>create your first key</a>}.
    </p>
  );
}

function Charts({ daily, window, place, limit, forecast, key, home }: MonthView) {
  const places = Math.round((window.endMs - window.startMs) / DAY_MS);
  const ticks = [0, 7, 14, 21, 28].filter((day) => day < places).map((day) => ({ place: day, text: `${day + 1}` }));
  const month = monthText(window.startMs);
  const of = key === undefined ? '' : key.id === '' ? ' made in the portal' : ` with the key ${key.name}`;
  const sums: number[] = [];
  for (const value of daily) sums.push((sums.at(-1) ?? 0) + value);
  const labelled = (value: number, day: number) => ({
    value,
    title: `${shortDay(window.startMs + day * DAY_MS)}: ${count(value)}`,
  });
  return (
    <section aria-label={`Usage in ${month}`}>
      {key === undefined ? null : (
        <p>
          Only decodes{of}.{' '}
          <a href={place === 0 ? home : `${home}?month=${monthName(window.startMs)}`}>Show all keys</a>
        </p>
      )}
      <div class="columns">
        <div class="stack">
          <h2>Decodes per day</h2>
          <BarChart
            label={`Decodes${of} on each day of ${month}; the table below has the figures.`}
            ticks={ticks}
            places={places}
            bars={daily.map(labelled)}
          />
        </div>
        <div class="stack">
          <h2>{place === 0 ? 'The month so far' : 'The month'}</h2>
          <LineChart
            label={`Total decodes${of} in ${month}${forecast === undefined ? '' : ', with the forecast'}; the table below has the figures.`}
            ticks={ticks}
            places={places}
            points={sums.map(labelled)}
            forecast={forecast?.atEnd}
            limit={place === 0 ? (limit ?? undefined) : undefined}
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
        caption="Days are in UTC, by which decodes are charged."
        columns={[
          { head: 'Day', cell: ({ dayMs }) => <Day ms={dayMs} /> },
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

/** What each key used, as bars to compare; its name leads to its days. */
function ByKey({ home, months, place, keys, key: current, window }: UsageView) {
  const [month, before] = [months[place], months[place + 1]];
  const all = Math.max(1, month?.charged ?? 0);
  const rows = keys
    .filter(({ id }) => usedBy(month, id) + usedBy(before, id) > 0)
    .toSorted((one, other) => usedBy(month, other.id) - usedBy(month, one.id));
  if (rows.length === 0) return null;
  const pageOf = (id: string): string =>
    `${home}?${new URLSearchParams({ month: monthName(window.startMs), key: id === '' ? 'portal' : id }).toString()}`;
  return (
    <section>
      <h2>By key</h2>
      <Table
        rows={rows}
        isCurrent={({ id }) => id === current?.id}
        columns={[
          { head: 'Name', kind: 'name', cell: ({ id, name }) => <a href={pageOf(id)}>{name}</a> },
          { head: 'Key', kind: 'code', cell: ({ looksLike }) => (looksLike === '' ? '–' : looksLike) },
          { head: 'Share', cell: ({ id }) => <Share of={usedBy(month, id) / all} /> },
          { head: monthText(window.startMs), kind: 'figure', cell: ({ id }) => count(usedBy(month, id)) },
          ...(before === undefined
            ? []
            : [
                {
                  head: monthText(before.startMs),
                  kind: 'figure' as const,
                  cell: ({ id }: NamedKey) => count(usedBy(before, id)),
                },
              ]),
        ]}
      />
      <p>
        <a href={`${home}/usage.csv`}>Download twelve months by day and key as CSV</a>
      </p>
    </section>
  );
}

function Share({ of }: { of: number }) {
  const percent = Math.round(of * 100);
  return (
    <svg class="share" role="img" aria-label={`${percent}%`}>
      <rect width={`${percent}%`} height="12" />
    </svg>
  );
}

function Months({ home, months, place: current }: UsageView) {
  const used = months
    .map((month, place) => ({ ...month, place }))
    .filter(({ charged, place }) => charged > 0 && place !== current);
  if (used.length === 0) return null;
  return (
    <section>
      <h2>{current === 0 ? 'Earlier months' : 'Other months'}</h2>
      <Table
        rows={used}
        columns={[
          {
            head: 'Month',
            kind: 'name',
            cell: ({ startMs, place }) => <MonthLink home={home} startMs={startMs} place={place} />,
          },
          { head: 'Decodes', kind: 'figure', cell: ({ charged }) => count(charged) },
        ]}
      />
    </section>
  );
}
