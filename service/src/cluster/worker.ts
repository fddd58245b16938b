import { createBirpc } from 'birpc';
import type { Registry } from 'prom-client';

import { DatabaseUnavailableError, NewerDatabaseError } from '../kernel/db/index.ts';
import type { Service, Shared } from '../main.ts';
import { PayingNetworks } from '../workspaces/index.ts';
import { type PrimaryFunctions, UPGRADED, type WorkerFunctions } from './channel.ts';

/** One of several processes that serve. */
interface ClusterWorker {
  shared: Shared;
  /** Reports to the primary that this worker serves, and how to read its metrics and copies. */
  ready: (service: Pick<Service, 'database'> & { metrics: Registry | undefined }, origin: string) => void;
  /** Lets this process end, and rethrows why: the exit status says whether another one may start. */
  failed: (error: unknown) => never;
  /** Resolves when the primary wants it to end. */
  stopped: Promise<void>;
}

/** Connects this process with its primary. */
export function connectToPrimary(): ClusterWorker {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let service: Parameters<ClusterWorker['ready']>[0] | undefined;
  const functions: WorkerFunctions = {
    ping: () => {},
    forget: () => service?.database.changes.forget(),
    paidFrom: (network) => paying.add(network),
    metrics: async () => (await service?.metrics?.getMetricsAsJSON()) ?? [],
    stop,
  };
  const primary = createBirpc<PrimaryFunctions, WorkerFunctions>(functions, {
    post: (message) => void process.send?.(message),
    on: (listener) => void process.on('message', listener),
    // A commit takes as long as the disk does; without a primary this process ends.
    timeout: -1,
  });
  const paying = new PayingNetworks((network) => void primary.paidFrom.asEvent(network));
  const shared: Shared = {
    paying,
    committer: {
      commit: (batch) => primary.commit(batch).catch(lost),
      write: (statement) => primary.write(statement).catch(lost),
      close: async () => {},
    },
    rateLimit: (name, limit) => ({
      take: (client, nowMs) => primary.take(name, limit, client, nowMs),
      giveBack: (client) => void primary.giveBack.asEvent(name, client),
    }),
    notifyPeers: () => primary.notifyPeers(),
  };
  const ready: ClusterWorker['ready'] = (opened, origin) => {
    service = opened;
    void primary.ready.asEvent(origin);
  };
  return { shared, ready, failed, stopped };
}

function failed(error: unknown): never {
  process.channel?.unref();
  // Overrides the status of the command line, which reports the error.
  if (error instanceof NewerDatabaseError) process.once('exit', () => (process.exitCode = UPGRADED));
  throw error;
}

function lost(cause: unknown): never {
  throw new DatabaseUnavailableError('The process that writes to SQLite does not answer.', { cause });
}
