import { appliedMigrations, type Database, lastBackupMs } from '../kernel/db/index.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { type Backlog, type Queues as AllQueues, readBacklogs } from '../kernel/jobs/index.ts';
import { count } from '../kernel/ui/numbers.ts';
import { Facts } from '../kernel/ui/stats.tsx';
import { Table } from '../kernel/ui/table.tsx';
import { Moment, waitText } from '../kernel/ui/times.tsx';
import { SERVICE_VERSION } from '../kernel/version.ts';
import type { Failure } from '../kernel/ui/failures.ts';

/** A backup older than this is flagged. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** How long a due job may wait while workers are busy. */
const LATE_SECONDS = 60;

/** What an operator checks first. */
export interface Operations {
  backlogs: readonly Backlog[];
  /** Undefined: `marque db backup` has written none. */
  backupMs: number | undefined;
  schemaVersion: number;
  engine: Database['engine'];
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

/** What this instance failed to answer. */
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

/** When the database was last backed up with `marque db backup`. */
export function Backups({ backupMs, nowMs }: { backupMs: number | undefined; nowMs: number }) {
  return (
    <section>
      <h2>Backups</h2>
      {backupMs === undefined ? (
        <p class="empty">
          <code>marque db backup</code> has not been run on this database. Backups made in other ways, such as
          snapshots, do not show here.
        </p>
      ) : (
        <p>
          {nowMs - backupMs > OLD_BACKUP_MS ? <span class="tag warn">old</span> : null}
          <code>marque db backup</code> last backed up this database on <Moment ms={backupMs} />.
        </p>
      )}
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
