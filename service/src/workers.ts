import type { FastifyBaseLogger } from 'fastify';

import { DAY_MS, systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config/config.ts';
import type { Database } from './kernel/db/index.ts';
import { type JobWatcher, type Schedule, scheduleWorker } from './kernel/jobs/index.ts';
import { mailWorker, openMailer } from './kernel/mail/index.ts';
import type { BackgroundWork } from './kernel/slice.ts';
import { SLICES, type WorkNeeds } from './slices.ts';

/** All background work of an instance. Not started. */
export class Workers {
  #all: ReadonlyMap<string, BackgroundWork> = new Map();

  /** Opens the workers of every slice, and those of the kernel. */
  async open(deps: WorkNeeds & { watch: JobWatcher | undefined; clockFault: () => string | undefined }): Promise<void> {
    const { config } = deps;
    const { smtpUrl, webhookAllowPrivate } = config;
    if (webhookAllowPrivate)
      deps.log.warn('WEBHOOK_ALLOW_PRIVATE is on: subscribers may send requests into this network');
    const opened = await Promise.all(SLICES.map(async ({ workers }) => Object.entries((await workers?.(deps)) ?? {})));
    const schedules = await Promise.all(SLICES.map(async (slice) => (await slice.schedules?.(deps)) ?? []));
    const own: [string, BackgroundWork][] = [
      ['schedules', scheduleWorker(deps, [retention(config, deps), ...schedules.flat()])],
    ];
    if (smtpUrl !== undefined) own.push(['mail', mailWorker({ ...deps, mailer: openMailer({ ...config, smtpUrl }) })]);
    this.#all = new Map([...opened.flat(), ...own]);
  }

  /** Has a worker look for work at once. */
  wake(name: string): void {
    this.#all.get(name)?.wake?.();
  }

  start(): void {
    for (const worker of this.#all.values()) worker.start();
  }

  /** Stops claiming, and waits until running work has ended or given its jobs back. */
  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map((worker) => worker.close()));
  }
}

/** Removes rows that have outlived their retention, once a day. */
function retention(
  { decodeLogRetentionDays: decodeDays }: Config,
  { database, log }: { database: Database; log: Pick<FastifyBaseLogger, 'info'> },
): Schedule {
  return {
    name: 'retention',
    everyMs: DAY_MS,
    run: async (signal) => {
      const nowMs = systemClock();
      const removed: Record<string, unknown> = {};
      const errors: unknown[] = [];
      for (const slice of SLICES) {
        signal.throwIfAborted();
        try {
          const count = await slice.retention?.(database, { nowMs, decodeDays, signal });
          if (count !== undefined) removed[slice.name] = count;
        } catch (error) {
          errors.push(error);
        }
      }
      log.info({ removed }, 'old data removed');
      // What one cannot remove keeps no other from it.
      if (errors.length > 0) throw errors[0];
    },
  };
}
