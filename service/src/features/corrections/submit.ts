import { type Decoder, readVin } from '@marque/decoder';
import { v7 } from 'uuid';

import { appendAudit, lockAuditLog } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { storeOutcome, workspaceSubject } from '../usage/index.ts';
import { claimHash } from './rows.ts';
import type { QueueFull, Reporter, Submission } from './types.ts';

/** Reports of one reporter that may wait for review: each takes up to some tens of kilobytes, and a person's time. */
const MOST_QUEUED = { public: 100, workspace: 500 } as const;

/** What storing a report needs. */
export interface SubmitDeps {
  database: Database;
  clock: Clock;
  /** With overrides: what clients are answered. */
  corrected: Decoder;
}

/**
 * Stores a report beside what is answered at this moment. `conflict`: its idempotency key was used meanwhile. `full`: so
 * many reports of the same reporter wait for review already.
 */
export async function submit(
  { database, clock, corrected }: SubmitDeps,
  { reporter, source, claim, actualReport, notifyEmail, idempotency }: Submission,
): Promise<{ kind: 'saved'; id: string } | { kind: 'conflict' } | QueueFull> {
  const form = readVin(claim.vin);
  const vin = form.kind === 'vin' ? form.vin : null;
  const answered = vin === null ? null : JSON.stringify(corrected.explain(vin));
  const hash = claimHash(vin ?? undefined, claim);
  const atMs = clock();
  const id = v7({ msecs: atMs });
  return database.kysely.transaction().execute(async (transaction) => {
    await lockAuditLog(transaction);
    const queued = await transaction
      .selectFrom('correction_reports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('subject', '=', subjectFor(reporter))
      .where('state', '=', 'queued')
      .executeTakeFirstOrThrow();
    const most = MOST_QUEUED[reporter.kind];
    if (queued.count >= most) return { kind: 'full', most };
    if (idempotency !== undefined) {
      const isFirst = await storeOutcome(transaction, idempotency.scope, idempotency.recordOf(id));
      if (!isFirst) return { kind: 'conflict' };
    }
    // In turn, so that of two that come at once one sees the other.
    const first = await transaction
      .selectFrom('correction_reports')
      .select('id')
      .where('claim_hash', '=', hash)
      .where('state', '=', 'queued')
      .where('duplicate_of', 'is', null)
      .orderBy('id')
      .executeTakeFirst();
    await transaction
      .insertInto('correction_reports')
      .values({
        id,
        vin,
        claim: JSON.stringify(claim),
        claim_hash: hash,
        actual_report: actualReport === null ? null : JSON.stringify(actualReport),
        answered,
        source,
        subject: subjectFor(reporter),
        key_id: reporter.kind === 'workspace' ? reporter.keyId : null,
        notify_email: notifyEmail ?? null,
        duplicate_of: first?.id ?? null,
        state: 'queued',
        created_at: atMs,
      })
      .execute();
    await appendAudit(transaction, atMs, {
      actor: subjectFor(reporter),
      action: 'report.queued',
      subject: `report:${id}`,
      details: { source, duplicateOf: first?.id ?? null },
    });
    return { kind: 'saved', id };
  });
}

function subjectFor(reporter: Reporter): string {
  return reporter.kind === 'workspace' ? workspaceSubject(reporter.workspaceId) : `public:${reporter.clientId}`;
}
