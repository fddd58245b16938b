import type { Person } from '../../features/accounts/accounts.ts';
import { appendAudit } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CorrectedDecoder, Corrections } from '../../features/corrections/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Enrichment } from '../../features/enrichment/index.ts';
import type { Latency } from './latency.ts';

/** What the pages of administration need. */
export interface AdminDeps {
  config: Config;
  database: Database;
  clock: Clock;
  decoder: CorrectedDecoder;
  corrections: Corrections;
  latency: Latency;
  /** Undefined: no source is configured. */
  enrichment: Pick<Enrichment, 'statuses'> | undefined;
}

/** An administrator as the audit log names them. */
export function actorOf({ email }: Pick<Person, 'email'>): string {
  return `admin:${email}`;
}

/** Writes an act of an administrator into the audit log. */
export async function note(
  { database, clock }: Pick<AdminDeps, 'database' | 'clock'>,
  person: Person,
  act: { action: string; subject: string; details: Readonly<Record<string, unknown>> },
): Promise<void> {
  await database.kysely
    .transaction()
    .execute((transaction) => appendAudit(transaction, clock(), { actor: actorOf(person), ...act }));
}
