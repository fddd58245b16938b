import { DAY_MS } from '../../kernel/clock.ts';
import type { UsageWindow } from '../../kernel/db/month.ts';
import { BarChart, LineChart } from '../../kernel/ui/chart.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import type { Figure } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Day, Moment, monthText, shortDay } from '../../kernel/ui/times.tsx';
import { limitText } from '../../workspaces/pages/index.ts';
import type { Forecast } from './forecast.ts';

/** A key as the page names it. */
export interface NamedKey {
  id: string;
  name: string;
  looksLike: string;
}

/** Represents decodes made in the portal, which need no key. */
export const PORTAL_KEY: NamedKey = { id: '', name: 'Portal', looksLike: '' };

/** The data of a month's figures and charts. */
export interface MonthView {
  home: string;
  window: UsageWindow;
  /** Its place among the months; 0: it is not over. */
  place: number;
  limit: number | null;
  /** The key that the charts are narrowed to. */
  key: NamedKey | undefined;
  used: number;
  daily: readonly number[];
  forecast: Forecast | undefined;
}

/** Returns a month as in an address: "2026-11". */
export function monthName(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 7);
}

/** Returns the figures of the current month. */
export function figuresNow(month: MonthView): Figure[] {
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

/** Returns the figures of a past month. Its limit is not kept. */
export function figuresOf({ used, window, daily }: MonthView): Figure[] {
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

/** Fills the place of the charts when there is nothing to draw. */
export function Empty({ home, place, hasKey }: { home: string; place: number; hasKey: boolean }) {
  if (place > 0) return <p class="empty">There were no decodes in this month.</p>;
  return (
    <p class="empty">
      No decodes this month yet. Each day's decodes appear here, with the forecast for the month.{' '}
      <a href={`${home}/try`}>Try a VIN</a>, or{' '}
      {hasKey ? <a href="/docs">make a call with your key</a> : <a href={`${home}/keys`}>create your first key</a>}.
    </p>
  );
}

/** A month day by day, and summed up. */
export function Charts({ daily, window, place, limit, forecast, key, home }: MonthView) {
  const places = Math.round((window.endMs - window.startMs) / DAY_MS);
  const ticks = [0, 7, 14, 21, 28].filter((day) => day < places).map((day) => ({ place: day, text: `${day + 1}` }));
  const month = monthText(window.startMs);
  const of = key === undefined ? '' : key.id === '' ? ' made in the portal' : ` with the key ${key.name}`;
  const sums: number[] = [];
  for (const value of daily) sums.push((sums.at(-1) ?? 0) + value);
  const labeled = (value: number, day: number) => ({
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
            bars={daily.map(labeled)}
          />
        </div>
        <div class="stack">
          <h2>{place === 0 ? 'The month so far' : 'The month'}</h2>
          <LineChart
            label={`Total decodes${of} in ${month}${forecast === undefined ? '' : ', with the forecast'}; the table below has the figures.`}
            ticks={ticks}
            places={places}
            points={sums.map(labeled)}
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
