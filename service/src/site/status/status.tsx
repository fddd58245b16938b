import type { FastifyInstance } from 'fastify';

import { catalogVersion } from '../../catalog/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { Notice } from '../../kernel/ui/fields.tsx';
import { CachedPages } from '../../kernel/ui/html.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { SERVICE_VERSION } from '../../kernel/version.ts';
import { type FeedEntry, sendFeed } from '../feed.ts';
import { kept } from '../kept.ts';
import type { SiteParts } from '../slice.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import {
  durationText,
  faultText,
  type Hour,
  HOURS,
  hoursOf,
  type Incident,
  incidentsIn,
  MOST_INCIDENTS,
  type Period,
  periodOf,
} from './availability.ts';
import { readRecorded, type Recorded, recordedHere, RECORDED_MS } from './record.ts';

/** The time for which a look is used again, so that frequent loads do not reach the database. */
const GOOD_FOR_MS = 1_000;

/** The same for the record of a week, which takes longer to read and to sum up. Instances write theirs as often. */
const RECORD_GOOD_FOR_MS = 10_000;

/** The record as the page shows it. */
interface Report {
  hours: Hour[];
  /** Periods with their names; undefined: nothing is known of it. */
  periods: { label: string; period: Period | undefined }[];
  incidents: Incident[];
  sinceMs: number;
  /** False: the record could not be read, so that this process alone is known. */
  isWhole: boolean;
}

/** The state of the service when it was last looked at. */
interface Look {
  atMs: number;
  /** The reason why it cannot decode, in a sentence; undefined: it can. */
  fault: string | undefined;
  report: Report;
}

/** Adds `/status`: how well all instances did, over restarts. */
export function addStatus(scope: FastifyInstance, deps: SiteParts & PageKit): void {
  const report = kept(
    () => reportOf(deps),
    ({ isWhole }) => (isWhole ? RECORD_GOOD_FOR_MS : 0),
  );
  const look = kept(
    () => lookAt(deps, report),
    () => GOOD_FOR_MS,
  );
  const pages = new CachedPages(GOOD_FOR_MS);
  scope.get('/status', async (_request, reply) => {
    const seen = await look();
    return pages.send(reply, '', () => ({
      title: 'Status',
      description: 'Whether this service works, and how well it did over the last 7 days.',
      baseUrl: deps.baseUrl(),
      current: '/status',
      isPublic: true,
      feed: '/status.atom',
      styles: ['reference.css'],
      children: <Status deps={deps} look={seen} />,
    }));
  });
  scope.get('/status.atom', async (_request, reply) => {
    const { sinceMs, incidents } = (await look()).report;
    return sendFeed(reply, {
      title: 'Status',
      path: '/status',
      baseUrl: deps.baseUrl(),
      sinceMs,
      entries: incidents.map(entryOf),
    });
  });
}

async function lookAt(deps: SiteParts & PageKit, readReport: () => Promise<Report>): Promise<Look> {
  // At the same time: a database that is away lets each of them wait.
  const [fault, report] = await Promise.all([deps.fault(), readReport()]);
  return { atMs: deps.clock(), fault, report };
}

/** Reads the record of all instances; if it cannot be read, that of this process. */
async function reportOf({ vitals, database, clock }: SiteParts): Promise<Report> {
  const nowMs = clock();
  vitals.beat();
  const here = recordedHere(vitals, nowMs);
  const read = await readRecorded(database, vitals, nowMs).catch(() => undefined);
  const recorded = read ?? here;
  return {
    hours: hoursOf(recorded, nowMs),
    periods: periodsOf(recorded, nowMs),
    incidents: incidentsIn(recorded.minutes),
    sinceMs: recorded.sinceMs,
    isWhole: read !== undefined,
  };
}

function entryOf(incident: Incident): FeedEntry {
  const { fromMs, untilMs, isDown } = incident;
  return {
    path: `/status#${fromMs}`,
    title: isDown ? 'The service was not running' : 'Requests failed or were refused',
    atMs: untilMs,
    text: `From ${new Date(fromMs).toISOString()}, for ${lengthOf(incident)}: ${incidentText(incident)}.`,
  };
}

function Status({ deps, look }: { deps: SiteParts & PageKit; look: Look }) {
  const { atMs: nowMs, fault, report } = look;
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
        <h2>The last 24 hours</h2>
        <p>
          {report.isWhole
            ? 'All instances of this service together, recorded since '
            : 'The database has the record of all instances, and does not answer. These figures are of this process, since '}
          <Moment ms={report.sinceMs} />.
        </p>
        <Hours hours={report.hours} />
        <Shares periods={report.periods} />
      </section>
      <section>
        <h2>Incidents</h2>
        {report.incidents.length === MOST_INCIDENTS && <p>The latest {MOST_INCIDENTS}.</p>}
        <Incidents incidents={report.incidents} sinceMs={report.sinceMs} />
      </section>
      <section>
        <h2>What this page cannot know</h2>
        <p>
          While no instance runs, this page does not answer either; afterward the gap is listed as an incident. Requests
          that never reached the service are not counted. To monitor a service of your own, request <code>/readyz</code>{' '}
          from elsewhere: see <a href="/docs/operation">Health checks</a>.
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
        { label: 'This process started', value: <Moment ms={vitals.startedAtMs} isAgo /> },
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
              { label: 'Half of all decodes', value: milliseconds(half), note: 'or less, in this process' },
              {
                label: '99% of decodes',
                value: milliseconds(most),
                note: `or less, of its last ${count(latency.samples)}`,
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

/** One block for each hour; a fault is also hatched, so that color is not its only sign. */
function Hours({ hours }: { hours: readonly Hour[] }) {
  return (
    <figure class="hours">
      <ol>
        {hours.map(({ fromMs, state, text }) => {
          const label = `${new Date(fromMs).toISOString().slice(11, 16)} UTC: ${text}`;
          return (
            <li key={fromMs} class={state} title={label}>
              <span class="unseen">{label}</span>
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

const PERIODS = [
  ['Last hour', HOUR_MS],
  ['Last 24 hours', DAY_MS],
  ['Last 7 days', RECORDED_MS],
] as const;

function periodsOf(recorded: Recorded, nowMs: number): Report['periods'] {
  // Report no more than is known: half an hour after the first start, half an hour. A week's record begins within a
  // minute of it.
  const whole = PERIODS.filter(([, lengthMs]) => nowMs - lengthMs >= recorded.sinceMs - MINUTE_MS);
  const periods = [
    ...whole.map(([label, lengthMs]) => [label, nowMs - lengthMs] as const),
    ...(whole.length === PERIODS.length ? [] : [['Since the record began', recorded.sinceMs] as const]),
  ];
  return periods.map(([label, fromMs]) => ({ label, period: periodOf(recorded, fromMs, nowMs) }));
}

function Shares({ periods }: Pick<Report, 'periods'>) {
  return (
    <Stats
      figures={periods.map(({ label, period }) => {
        const faults = period === undefined ? '' : faultText(period);
        return {
          label,
          value: period?.share ?? '–',
          note: faults === '' ? 'of requests answered' : `of requests answered; ${faults}`,
        };
      })}
    />
  );
}

function Incidents({ incidents, sinceMs }: { incidents: readonly Incident[]; sinceMs: number }) {
  return (
    <Table
      rows={incidents}
      empty={
        <>
          No request failed or was refused because the service was busy, and the service ran all the time since{' '}
          <Moment ms={sinceMs} />.
        </>
      }
      columns={[
        { head: 'Began', kind: 'name', cell: ({ fromMs }) => <Moment ms={fromMs} /> },
        { head: 'Lasted', cell: lengthOf },
        { head: 'What happened', cell: incidentText },
      ]}
    />
  );
}

function lengthOf({ fromMs, untilMs }: Incident): string {
  return durationText(Math.round((untilMs - fromMs) / MINUTE_MS));
}

function incidentText({ isDown, failed, shed }: Incident): string {
  return isDown ? 'No instance was running' : faultText({ failed, shed, downMinutes: 0 });
}
