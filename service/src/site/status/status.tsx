import type { FastifyInstance } from 'fastify';

import { catalogVersion } from '../../catalog/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { Notice } from '../../kernel/ui/fields.tsx';
import { sendPage } from '../../kernel/ui/html.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Stats } from '../../kernel/ui/stats.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import { SERVICE_VERSION } from '../../kernel/version.ts';
import { type FeedEntry, sendFeed } from '../feed.ts';
import type { SiteParts } from '../slice.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { durationText, faultText, HOURS, hoursOf, type Incident, incidentsIn, periodOf } from './availability.ts';
import { readRecorded, type Recorded, RECORDED_MS } from './record.ts';

/** The time for which what was read is used again, so that frequent loads do not reach the database. */
const GOOD_FOR_MS = 1_000;

/** The state of the service when it was last looked at. */
interface Look {
  atMs: number;
  /** The reason why it cannot decode, in a sentence; undefined: it can. */
  fault: string | undefined;
  recorded: Recorded;
  /** False: the database did not answer, so that this process alone is known. */
  isWhole: boolean;
}

/** Adds `/status`: how well all instances did, over restarts. */
export function addStatus(scope: FastifyInstance, deps: SiteParts & PageKit): void {
  let last: { ticks: number; look: Promise<Look> } | undefined;
  const look = (): Promise<Look> => {
    const ticks = performance.now();
    if (last === undefined || ticks - last.ticks >= GOOD_FOR_MS) last = { ticks, look: lookAt(deps) };
    return last.look;
  };
  scope.get('/status', async (_request, reply) =>
    sendPage(reply, {
      title: 'Status',
      description: 'Whether this service works, and how well it did over the last 7 days.',
      baseUrl: deps.baseUrl(),
      current: '/status',
      isPublic: true,
      feed: '/status.atom',
      styles: ['reference.css'],
      children: <Status deps={deps} look={await look()} />,
    }),
  );
  scope.get('/status.atom', async (_request, reply) => {
    const { recorded } = await look();
    return sendFeed(reply, {
      title: 'Status',
      path: '/status',
      baseUrl: deps.baseUrl(),
      sinceMs: recorded.sinceMs,
      entries: incidentsIn(recorded.minutes).map(entryOf),
    });
  });
}

/** Reads the record of all instances; where the database does not answer, that of this process. */
async function lookAt(deps: SiteParts & PageKit): Promise<Look> {
  const { vitals, database } = deps;
  const fault = await deps.fault();
  const atMs = deps.clock();
  vitals.beat();
  const own = { minutes: vitals.minutes, sinceMs: vitals.startedAtMs };
  if (fault !== undefined) return { atMs, fault, recorded: own, isWhole: false };
  try {
    return { atMs, fault, recorded: await readRecorded(database, vitals, atMs), isWhole: true };
  } catch {
    return { atMs, fault, recorded: own, isWhole: false };
  }
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
  const { atMs: nowMs, fault, recorded, isWhole } = look;
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
          {isWhole
            ? 'All instances of this service together, recorded since '
            : 'The database has the record of all instances, and does not answer. These figures are of this process, since '}
          <Moment ms={recorded.sinceMs} />.
        </p>
        <Hours recorded={recorded} nowMs={nowMs} />
        <Shares recorded={recorded} nowMs={nowMs} />
      </section>
      <section>
        <h2>Incidents</h2>
        <Incidents incidents={incidentsIn(recorded.minutes)} sinceMs={recorded.sinceMs} />
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
function Hours({ recorded, nowMs }: { recorded: Recorded; nowMs: number }) {
  return (
    <figure class="hours">
      <ol>
        {hoursOf(recorded, nowMs).map(({ fromMs, state, text }) => {
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

function Shares({ recorded, nowMs }: { recorded: Recorded; nowMs: number }) {
  // Report no more than is known: half an hour after the first start, half an hour. A week's record begins within a minute of it.
  const whole = PERIODS.filter(([, lengthMs]) => nowMs - lengthMs >= recorded.sinceMs - MINUTE_MS);
  const periods = [
    ...whole.map(([label, lengthMs]) => [label, nowMs - lengthMs] as const),
    ...(whole.length === PERIODS.length ? [] : [['Since the record began', recorded.sinceMs] as const]),
  ];
  return (
    <Stats
      figures={periods.map(([label, fromMs]) => {
        const period = periodOf(recorded, fromMs, nowMs);
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
