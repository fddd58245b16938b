import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { monthText } from '../../kernel/ui/times.tsx';
import type { MonthUsage } from '../index.ts';
import { dailyUsage, forecastOf } from './forecast.ts';
import { Charts, Empty, figuresNow, figuresOf, monthName, type MonthView, type NamedKey } from './month-views.tsx';

/** The data of the page: a month, and its neighbors. */
interface UsageView extends Omit<MonthView, 'used' | 'daily' | 'forecast'> {
  nowMs: number;
  months: readonly MonthUsage[];
  /** The most used keys of the month and the one before. */
  keys: readonly NamedKey[];
  /** True if others were used, too. */
  isCut: boolean;
  /** True if the workspace has made a key. */
  hasKey: boolean;
  /** The month of the key that the charts are narrowed to. */
  ofKey: MonthUsage | undefined;
}

/** The usage of a month: of the whole workspace, and day by day also of one key. */
export function UsagePage(view: UsageView) {
  const { nowMs, window, place, limit, months, home, key, ofKey, hasKey } = view;
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
      <Stats figures={place === 0 ? figuresNow(whole) : figuresOf(whole)} />
      {used === 0 ? <Empty home={home} place={place} hasKey={hasKey} /> : <Charts {...drawn} />}
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

function usedBy(usage: MonthUsage | undefined, keyId: string): number {
  return usage?.keys.find((key) => key.keyId === keyId)?.charged ?? 0;
}

/** Returns the ids of the keys used in a month or the one before, those first that the month's decodes were made with. */
export function mostUsed(month: MonthUsage | undefined, before: MonthUsage | undefined): string[] {
  const all = [month, before].flatMap(
    (usage) =>
      usage?.keys.toSorted((one, other) => other.charged - one.charged || (one.keyId < other.keyId ? -1 : 1)) ?? [],
  );
  return [...new Set(all.map(({ keyId }) => keyId))];
}

/** Draws each key's usage as bars; its name links to its days. */
function ByKey({ home, months, place, keys, isCut, key: current, window }: UsageView) {
  const [month, before] = [months[place], months[place + 1]];
  const all = Math.max(1, month?.charged ?? 0);
  if (keys.length === 0) return null;
  const pageOf = (id: string): string =>
    `${home}?${new URLSearchParams({ month: monthName(window.startMs), key: id === '' ? 'portal' : id }).toString()}`;
  return (
    <section>
      <h2>By key</h2>
      <Table
        rows={keys}
        caption={isCut ? 'The most used keys; the file below has all.' : undefined}
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
