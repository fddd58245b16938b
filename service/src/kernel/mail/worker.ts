import type { Database } from '../db/index.ts';
import { type Lease, Worker, type WorkerOptions } from '../jobs/index.ts';
import type { Mailer } from './mailer.ts';
import { claimMail, deliverMail } from './outbox.ts';

/** How soon a message is sent, whichever instance enqueued it: somebody waits for the link in it. */
const POLL_MS = 1_000;

/** One at a time is enough, and kind to the mail server. */
const CONCURRENCY = 1;

/** A worker that sends messages. A failure is logged, without the address, and tried again. */
export function mailWorker({
  database,
  mailer,
  ...deps
}: Pick<WorkerOptions<Lease>, 'clock' | 'log' | 'watch'> & { database: Database; mailer: Pick<Mailer, 'send'> }) {
  const { clock, log } = deps;
  return new Worker<Lease>({
    ...deps,
    queue: 'mail',
    concurrency: CONCURRENCY,
    pollMs: POLL_MS,
    claim: (limit) => claimMail(database, limit, clock()),
    run: async (lease) => {
      const outcome = await deliverMail(database, mailer, lease, clock());
      if (outcome.kind === 'sent') return 'completed';
      log.warn({ err: outcome.error, mail: lease.key, isGivenUp: outcome.isGivenUp }, 'mail not sent');
      return 'failed';
    },
  });
}
