import type { FastifyInstance } from 'fastify';

import { catalogVersion } from '../../catalog/index.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import { Notice } from '../../kernel/ui/fields.tsx';
import { sendPage } from '../../kernel/ui/html.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { type Minute, type Tally, tallyOf } from '../../kernel/ui/vitals.ts';
import { SERVICE_VERSION } from '../../kernel/version.ts';
import { type FeedEntry, sendFeed } from '../feed.ts';
import type { SiteParts } from '../slice.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** The time for which a result of the database is reused, so that frequent loads do not reach it. */
const GOOD_FOR_MS = 1_000;

/** Adds `/status`: what this process knows of itself. */
export function addStatus(scope: FastifyInstance, deps: SiteParts & PageKit): void {
  let asked = { atMs: -Infinity, fault: Promise.resolve<string | undefined>(undefined) };
  const fault = (): Promise<string | undefined> => {
    const atMs = performance.now();
    if (atMs - asked.atMs >= GOOD_FOR_MS) asked = { atMs, fault: deps.fault() };
    return asked.fault;
  };
  scope.get('/status', async (_request, reply) =>
    sendPage(reply, {
      title: 'Status',
      description: 'Whether this service works, and how well it did over the last 24 hours.',
      baseUrl: deps.baseUrl(),
      current: '/status',
      isPublic: true,
      feed: '/status.atom',
      styles: ['reference.css'],
      children: <Status deps={deps} fault={await fault()} />,
    }),
  );
  scope.get('/status.atom', (_request, reply) =>
    sendFeed(reply, {
      title: 'Status',
      path: '/status',
      baseUrl: deps.baseUrl(),
      sinceMs: deps.vitals.startedAtMs,
      entries: incidentsIn(deps.vitals.minutes).map(entryOf),
    }),
  );
}

function entryOf(incident: Incident): FeedEntry {
  const { fromMs, untilMs } = incident;
  return {
    path: `/status#${fromMs}`,
    title: 'Requests failed or were refused',
    atMs: untilMs,
    text: `From ${new Date(fromMs).toISOString()}, for ${durationText(untilMs - fromMs)}: ${faultText(incident)}.`,
  };
}

function Status({ deps, fault }: { deps: SiteParts & PageKit; fault: string | undefined }) {
  const { vitals, config } = deps;
  const nowMs = deps.clock();
  const { minutes, startedAtMs } = vitals;
  return (
    <>
      <h1>Status</h1>
      <Notice tone={fault === undefined ? 'good' : 'bad'}>
        <p>
          <strong>{fault === undefined ? 'Decoding works.' : `Decoding does not work. ${fault}`}</strong> Checked{' '}
          <Moment ms={nowMs} />.
        </p>
      </Notice>
      <Running deps={deps} />
      <section>
        <h2>{nowMs - startedAtMs < HOURS * HOUR_MS ? 'Since the start' : 'The last 24 hours'}</h2>
        <Hours hours={hoursOf(minutes, startedAtMs, nowMs)} />
        <Shares deps={deps} nowMs={nowMs} />
      </section>
      <section>
        <h2>Incidents</h2>
        <Incidents incidents={incidentsIn(minutes)} startedAtMs={startedAtMs} />
      </section>
      <section>
        <h2>What this page cannot know</h2>
        <p>
          Figures since the last restart, for this process only
          {config.workers > 1 ? `, one of ${count(config.workers)} on this machine` : ''}. While the service is down, so
          is this page. To watch a service of yours, ask <code>/readyz</code> from elsewhere: see{' '}
          <a href="/docs/operation">Health checks</a>.
        </p>
      </section>
    </>
  );
}

/** Too few answers do not predict the next one. */
const LEAST_ANSWERS = 100;

function Running({ deps: { vitals, decoder, latency } }: { deps: SiteParts & PageKit }) {
  const [half, most] = [latency.quantile(0.5), latency.quantile(0.99)];
  const isMeasured = latency.samples >= LEAST_ANSWERS && half !== undefined && most !== undefined;
  return (
    <Stats
      figures={[
        { label: 'Started', value: <Moment ms={vitals.startedAtMs} isAgo /> },
        { label: 'Version', value: <a href="/changelog">{SERVICE_VERSION}</a> },
        {
          label: 'Catalog',
          value: (
            <a class="mono" href="/changelog#catalog">
              {catalogVersion(decoder.info)}
            </a>
          ),
        },
        ...(isMeasured
          ? [
              { label: 'Half of all decodes', value: milliseconds(half), note: 'or less' },
              {
                label: '99% of decodes',
                value: milliseconds(most),
                note: `or less, of the last ${count(latency.samples)}`,
              },
            ]
          : []),
      ]}
    />
  );
}

function milliseconds(value: number): string {
  return `${count(value, { maximumFractionDigits: 1 })}\u00a0ms`;
}

const STATES: Readonly<Record<Hour['state'], string>> = {
  off: 'Before this process started',
  quiet: 'No requests',
  good: 'All answered',
  bad: 'Requests failed',
};

/** One block for each hour; a fault is also hatched, so that color is not its only sign. */
function Hours({ hours }: { hours: readonly Hour[] }) {
  return (
    <figure class="hours">
      <ol>
        {hours.map(({ fromMs, state, share }) => {
          const text = `${new Date(fromMs).toISOString().slice(11, 16)} UTC: ${hourText(state, share)}`;
          return (
            <li key={fromMs} class={state} title={text}>
              <span class="unseen">{text}</span>
            </li>
          );
        })}
      </ol>
      <figcaption>
        <span>{HOURS} hours ago</span>
        <span>Now</span>
      </figcaption>
    </figure>
  );
}

function hourText(state: Hour['state'], share: string | undefined): string {
  return state === 'bad' ? `${share ?? ''} of requests answered` : STATES[state].toLowerCase();
}

function Shares({ deps: { vitals }, nowMs }: { deps: SiteParts & PageKit; nowMs: number }) {
  // Report no more than is known: for a process that started half an hour ago, half an hour.
  const ranMs = nowMs - vitals.startedAtMs;
  const periods = [
    ['Last hour', HOUR_MS],
    ['Last 24 hours', HOURS * HOUR_MS],
  ] as const;
  const whole = periods.filter(([, lengthMs]) => lengthMs <= ranMs);
  const shares = [
    ...whole.map(([label, lengthMs]) => [label, tallyOf(vitals.minutes, nowMs - lengthMs)] as const),
    ...(whole.length === periods.length ? [] : [['Since the start', tallyOf(vitals.minutes, 0)] as const]),
  ];
  return (
    <Stats
      figures={shares.map(([label, tally]) => {
        const { failed, shed } = tally;
        const note = failed + shed === 0 ? 'of requests answered' : `of requests answered; ${faultText(tally)}`;
        return { label, value: shareOf(tally) ?? '–', note };
      })}
    />
  );
}

/** Describes the faults, in numbers. */
function faultText({ failed, shed }: Pick<Incident, 'failed' | 'shed'>): string {
  const parts = [
    failed === 0 ? '' : `${count(failed)} failed`,
    shed === 0 ? '' : `${count(shed)} refused because the service was busy`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function Incidents({ incidents, startedAtMs }: { incidents: readonly Incident[]; startedAtMs: number }) {
  return (
    <Table
      rows={incidents}
      empty={
        <>
          No request failed, or was refused because the service was busy, in the last 24 hours or since this process
          started, <Moment ms={startedAtMs} isAgo />.
        </>
      }
      columns={[
        { head: 'Began', kind: 'name', cell: ({ fromMs }) => <Moment ms={fromMs} /> },
        { head: 'Lasted', cell: ({ fromMs, untilMs }) => durationText(untilMs - fromMs) },
        { head: 'Requests', cell: faultText },
      ]}
    />
  );
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return minutes === 1 ? 'up to a minute' : `${count(minutes)} minutes`;
  return `${count(Math.round(minutes / 60))} hours`;
}

const MINUTE_MS = 60_000;

/** Hours that the status page shows. */
const HOURS = 24;

/** Faults with no more than this between them are one incident. */
const GAP_MS = 5 * MINUTE_MS;

/** A period in which requests failed or were refused. */
interface Incident {
  fromMs: number;
  untilMs: number;
  failed: number;
  shed: number;
}

/** The incidents of the minutes that are known, newest first. Pure. */
export function incidentsIn(minutes: readonly Minute[]): Incident[] {
  const incidents: Incident[] = [];
  for (const { atMs, failed, shed } of minutes) {
    if (failed + shed === 0) continue;
    const last = incidents[0];
    if (last !== undefined && atMs - last.untilMs <= GAP_MS) {
      last.untilMs = atMs + MINUTE_MS;
      last.failed += failed;
      last.shed += shed;
    } else incidents.unshift({ fromMs: atMs, untilMs: atMs + MINUTE_MS, failed, shed });
  }
  return incidents;
}

/** An hour as the status page shows it. */
interface Hour {
  fromMs: number;
  /** `off`: before this process started; `quiet`: there was no request. */
  state: 'off' | 'quiet' | 'good' | 'bad';
  /** Requests answered, in percent of all; undefined: there was none. */
  share: string | undefined;
}

/** The last 24 hours, the present one last. Pure. */
export function hoursOf(minutes: readonly Minute[], startedAtMs: number, nowMs: number): Hour[] {
  const thisHourMs = nowMs - (nowMs % HOUR_MS);
  return Array.from({ length: HOURS }, (_, place) => {
    const fromMs = thisHourMs - (HOURS - 1 - place) * HOUR_MS;
    const tally = tallyOf(minutes, fromMs, fromMs + HOUR_MS);
    const share = shareOf(tally);
    if (share === undefined) return { fromMs, state: fromMs + HOUR_MS <= startedAtMs ? 'off' : 'quiet', share };
    return { fromMs, state: tally.failed + tally.shed === 0 ? 'good' : 'bad', share };
  });
}

/** Answered requests in percent, rounded down, so that 100% means all of them; undefined: there was none. Pure. */
export function shareOf({ answered, failed, shed }: Tally): string | undefined {
  const all = answered + failed + shed;
  if (all === 0) return undefined;
  return `${(Math.floor((answered / all) * 10_000) / 100).toString()}%`;
}
