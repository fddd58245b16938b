import type { ComponentChildren } from 'preact';

import {
  appliedMigrations,
  ASYNCHRONOUS,
  CLOCK_TOLERANCE_MS,
  clockSentence,
  type Database,
  lastBackupMs,
  type ServerState,
} from '../kernel/db/index.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { type Backlog, type Queues as AllQueues, readBacklogs } from '../kernel/jobs/index.ts';
import { count } from '../kernel/ui/numbers.ts';
import { Facts } from '../kernel/ui/stats.tsx';
import { Table } from '../kernel/ui/table.tsx';
import { Moment, waitText } from '../kernel/ui/times.tsx';
import { SERVICE_VERSION } from '../kernel/version.ts';
import { SILENT, UNWRITABLE } from '../kernel/http/health.ts';
import type { Failure, Tally } from '../kernel/ui/vitals.ts';
import { runbookLink } from './runbook.tsx';

/** A backup older than this is flagged. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** The time that a due job may wait while workers are busy. */
const LATE_SECONDS = 60;

/** The figures that an operator checks first. */
interface Operations {
  backlogs: readonly Backlog[];
  /** Undefined: `marque db backup` has written none. */
  backupMs: number | undefined;
  schemaVersion: number;
  engine: Database['engine'];
}

/** Pending charges from which on the database is behind. The alert has the same figure. */
const MANY_CHARGES = 5_000;

/** A share of failed requests above this is an incident. The alert has the same figure. */
const MANY_FAILED = 0.01;

/** One thing to look at when paged. */
interface Check {
  what: string;
  state: 'good' | 'warn' | 'bad';
  says: ComponentChildren;
  /** The heading of docs/operations.md with the instructions. */
  heading: string;
}

/** The figures checked: requests by this process's counters, the rest by the database. */
export interface Checked extends Operations {
  nowMs: number;
  /** The reason why the database cannot be used, as `/readyz` gives it; undefined: it can. */
  fault: string | undefined;
  /** Requests of the last hour. */
  requests: Tally;
  /** Decodes that wait for their charge. */
  waiting: number;
  /** Version of the catalog and its overlay. */
  catalog: string;
  /** Undefined: the database is SQLite. */
  server: ServerState | undefined;
}

/** Shows the checks for an operator who is paged, each with a link to the manual's instructions. */
export function Checks({ checked }: { checked: Checked }) {
  return (
    <section>
      <h2>Checks</h2>
      <p class="hint">Requests and charges are those of this instance. Each name links to its part of the runbook.</p>
      <Table
        rows={checksOf(checked)}
        columns={[
          { head: 'Check', kind: 'name', cell: ({ what, heading }) => <a href={runbookLink(heading)}>{what}</a> },
          { head: 'State', cell: ({ state }) => <span class={`tag ${state}`}>{STATES[state]}</span> },
          { head: 'Now', cell: ({ says }) => says },
        ]}
      />
    </section>
  );
}

const STATES: Readonly<Record<Check['state'], string>> = { good: 'ok', warn: 'check', bad: 'fault' };

/** Returns the checks, in an order in which a fault explains those below it. Pure. */
export function checksOf(checked: Checked): Check[] {
  const { fault, engine, requests, waiting, backlogs, catalog, backupMs, nowMs } = checked;
  const does = fault === SILENT ? 'does not answer' : fault === UNWRITABLE ? 'cannot store anything' : 'answers';
  const { answered, failed, shed } = requests;
  const all = answered + failed + shed;
  const late = backlogs
    .filter(({ overdueSeconds }) => overdueSeconds > LATE_SECONDS)
    .toSorted((one, other) => other.overdueSeconds - one.overdueSeconds);
  const pending = backlogs.reduce((sum, queue) => sum + queue.pending, 0);
  const age = backupMs === undefined ? undefined : nowMs - backupMs;
  return [
    {
      what: 'Database',
      state: does === 'answers' ? 'good' : 'bad',
      says: `${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${does}`,
      heading: fault === UNWRITABLE ? 'The disk is full, or the clock is wrong' : 'The database does not answer',
    },
    ...(checked.server === undefined ? [] : serverChecks(checked.server)),
    {
      what: 'Charges',
      state: waiting > MANY_CHARGES ? 'bad' : 'good',
      says: waiting === 0 ? 'none waiting' : `${count(waiting)} wait for the database`,
      heading: 'Charges wait',
    },
    {
      what: 'Errors',
      state: failed === 0 ? 'good' : failed / all > MANY_FAILED ? 'bad' : 'warn',
      says: all === 0 ? 'no requests in the last hour' : `${count(failed)} of ${count(all)} requests in the last hour`,
      heading: 'Requests fail',
    },
    {
      what: 'Refused',
      state: shed === 0 ? 'good' : 'bad',
      says: shed === 0 ? 'none in the last hour' : `${count(shed)} of ${count(all)} requests in the last hour`,
      heading: 'Requests are refused',
    },
    {
      what: 'Queues',
      state: late.length > 0 ? 'bad' : 'good',
      says:
        late.length > 0
          ? `overdue: ${late.map(({ queue, overdueSeconds }) => `${queue} for ${waitText(Math.ceil(overdueSeconds))}`).join(', ')}`
          : `${count(pending)} pending, on time`,
      heading: 'A queue is late',
    },
    { what: 'Catalog', state: 'good', says: catalog, heading: 'Answers are old or wrong' },
    {
      what: 'Backup',
      state: age !== undefined && age <= OLD_BACKUP_MS ? 'good' : 'warn',
      says:
        backupMs === undefined ? 'marque db backup has not been run on this database' : <Moment ms={backupMs} isAgo />,
      heading: 'There is no recent backup',
    },
  ];
}

/** Returns the checks of PostgreSQL's clock and replication. Pure. */
function serverChecks({ aheadMs, isAsynchronous }: ServerState): Check[] {
  const isClockRight = Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS;
  return [
    {
      what: 'Clock',
      state: isClockRight ? 'good' : 'bad',
      says: isClockRight ? "agrees with PostgreSQL's" : `nothing is charged: ${clockSentence(aheadMs)}`,
      heading: 'The disk is full, or the clock is wrong',
    },
    {
      what: 'Standby',
      state: isAsynchronous ? 'warn' : 'good',
      says: isAsynchronous ? ASYNCHRONOUS : 'none is attached, or one is synchronous',
      heading: 'A standby for PostgreSQL',
    },
  ];
}

/** Reads queues, backups and versions. */
export async function readOperations(database: Database, nowMs: number, queues: AllQueues): Promise<Operations> {
  const [backlogs, backupMs, applied] = await Promise.all([
    readBacklogs(database, nowMs, queues),
    lastBackupMs(database),
    appliedMigrations(database),
  ]);
  return { backlogs, backupMs, schemaVersion: applied.at(-1)?.version ?? 0, engine: database.engine };
}

/** Each queue with its oldest job and what failed last. */
export function Queues({ backlogs }: { backlogs: readonly Backlog[] }) {
  return (
    <section>
      <h2>Queues</h2>
      <Table
        rows={backlogs}
        columns={[
          { head: 'Queue', kind: 'name', cell: ({ queue }) => queue },
          {
            head: 'State',
            cell: ({ overdueSeconds }) =>
              overdueSeconds > LATE_SECONDS ? <span class="tag bad">late</span> : <span class="tag good">on time</span>,
          },
          { head: 'Pending', kind: 'figure', cell: ({ pending }) => count(pending) },
          {
            head: 'Oldest due job',
            kind: 'figure',
            cell: ({ overdueSeconds }) => (overdueSeconds === 0 ? '–' : waitText(Math.ceil(overdueSeconds))),
          },
          { head: 'Retrying', kind: 'figure', cell: ({ retrying }) => count(retrying) },
          { head: 'Last error', cell: ({ lastError }) => lastError ?? '–' },
        ]}
      />
    </section>
  );
}

/** Shows the requests that this instance failed to answer. */
export function Errors({ failures }: { failures: readonly Failure[] }) {
  return (
    <section>
      <h2>Errors</h2>
      <Table
        rows={failures}
        empty="No request to this instance has failed since it started."
        caption="The latest requests to this instance that failed with a status of 500 or more. The log has the reasons."
        columns={[
          { head: 'When', cell: ({ atMs }) => <Moment ms={atMs} /> },
          { head: 'Request', kind: 'code', cell: ({ method, route }) => `${method} ${route}` },
          { head: 'Status', kind: 'figure', cell: ({ status }) => status },
        ]}
      />
    </section>
  );
}

/** The running versions. */
export function Versions({ operations: { engine, schemaVersion } }: { operations: Operations }) {
  return (
    <section>
      <h2>Versions</h2>
      <Facts
        facts={[
          ['Marque', SERVICE_VERSION],
          ['Node', process.version],
          ['Database', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
          ['Database schema', String(schemaVersion)],
        ]}
      />
    </section>
  );
}
