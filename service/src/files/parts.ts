import type { CorrectedDecoder } from '../corrections/index.ts';
import type { DecodeParts } from '../decode/index.ts';
import type { Idempotency, Meter } from '../metering/index.ts';
import type { Access } from '../workspaces/index.ts';
import type { ActDeps } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Lease, WorkerOptions } from '../kernel/jobs/index.ts';
import type { FileThread } from './decode-vins.ts';
import type { TransferLimits } from './transfer-limits.ts';

/** The dependencies of routes and pages of files. */
export interface FileParts extends ActDeps {
  access: Pick<Access, 'identify' | 'refusalOf'>;
  meter: Pick<Meter, 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'forget'>;
  transfers: TransferLimits;
  /** The worker of files: woken when one was accepted. */
  files: { wake: () => void };
}

/** The dependencies of the worker that decodes files. */
export interface FileWork
  extends ActDeps, Pick<WorkerOptions<Lease>, 'clockFault' | 'log' | 'watch'>, Pick<DecodeParts, 'enrichment'> {
  config: Pick<Config, 'planLimits'>;
  decoder: CorrectedDecoder;
  /** The thread that decodes VINs; undefined: the main thread. */
  fileThread: FileThread | undefined;
  meter: Pick<Meter, 'charge' | 'peek'>;
  /** Called when there is an event to deliver. */
  deliveries: { wake: () => void };
}
