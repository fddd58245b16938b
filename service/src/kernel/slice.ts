import type { FastifyInstance } from 'fastify';

import type { Command } from './cli/command.ts';
import type { Io } from './cli/io.ts';
import type { Conversions, Database, Tables } from './db/index.ts';
import type { Queues, Schedule } from './jobs/index.ts';
import type { SlicePrivacy } from './privacy.ts';
import type { PageKit, Tab, TabbedArea } from './ui/page-kit.ts';

/** A part of the service that stores data about vehicles or workspaces. */
export interface PrivacyOwner {
  /** Loads its exports and erasures. */
  privacy?: () => Promise<SlicePrivacy>;
}

/** A command's line in the help, and its module, which is loaded when the command is called. */
export interface CommandEntry {
  summary: string;
  load: () => Promise<{ define: (command: Command, io: Io, slices: readonly PrivacyOwner[]) => void }>;
}

/** Work in the background, from the start of an instance to its end. */
export interface BackgroundWork {
  start(): void;
  /** There may be work: looks at once. */
  wake?(): void;
  /** Starts no further work, and resolves when running work has ended or was given back. */
  close(): Promise<void>;
}

/** Parameters of removing old data. */
interface Retention {
  nowMs: number;
  /** The retention of decodes. */
  decodeDays: number;
  /** Aborted when the instance stops: the next one goes on. */
  signal: AbortSignal;
}

/**
 * A feature's contributions to the service. The composition loops over all of them and names none. A slice's own module
 * imports types only, and loads the rest where it is called: a command must not wait for the routes.
 *
 * `Parts` are the dependencies of its routes and pages, `Work` those of its workers.
 */
export interface Slice<Parts = object, Work = object> extends PrivacyOwner {
  /** The name of its folder. */
  name: string;
  /** Its tables. */
  tables?: () => Promise<Tables>;
  /** Tables of it that PostgreSQL partitions by the month of their UUIDv7 `id`. */
  monthlyTables?: readonly string[];
  /** Loads the conversions of its tables' rows from backups made before the first release. */
  conversions?: () => Promise<Conversions>;
  /** Functions of PostgreSQL, each in its newest form: they are replaced after every migration. */
  routines?: () => Promise<readonly string[]>;
  /** Adds routes of the API. */
  routes?: (app: FastifyInstance, parts: Parts) => Promise<void>;
  /** Adds pages, those of the portal among them. */
  pages?: (scope: FastifyInstance, parts: Parts & PageKit) => Promise<void>;
  /** Adds pages of administration, to a scope that only administrators reach. */
  adminPages?: (scope: FastifyInstance, parts: Parts & PageKit) => Promise<void>;
  tabs?: Partial<Record<TabbedArea, readonly Tab[]>>;
  /** Its commands, by their names. */
  commands?: Readonly<Record<string, CommandEntry>>;
  /** Starts workers, by the name of the event that wakes each. */
  workers?: (deps: Work) => Promise<Readonly<Record<string, BackgroundWork>>>;
  /** Work that comes back, once for all instances. */
  schedules?: (deps: Work) => Promise<readonly Schedule[]>;
  queues?: Queues;
  /** Removes rows that have outlived their retention, once a day. Returns details for the log. */
  retention?: (database: Database, retention: Retention) => Promise<unknown>;
}
