import type { ActDeps } from '../kernel/audit/index.ts';
import type { Idempotency, Meter } from '../metering/index.ts';
import type { Access } from '../workspaces/index.ts';
import type { Transfers } from './transfers.ts';

/** What routes and pages of files work with. */
export interface FileParts extends ActDeps {
  access: Pick<Access, 'identify'>;
  meter: Pick<Meter, 'peek'>;
  idempotency: Pick<Idempotency, 'begin'>;
  transfers: Transfers;
  /** The worker of files: woken when one was accepted. */
  files: { wake: () => void };
}
