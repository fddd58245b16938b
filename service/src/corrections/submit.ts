import { readVin } from '@marque/decoder';
import { v7 } from 'uuid';

import { type Actor, audited } from '../kernel/audit/index.ts';
import { storeOutcome, workspaceSubject } from '../metering/index.ts';
import type { CorrectionParts } from './parts.ts';
import { claimHash } from './rows.ts';
import type { QueueFull, Reporter, Submission } from './types.ts';

/** Queued reports per reporter: each takes tens of kilobytes, and a reviewer's time. */
const MOST_QUEUED = { public: 200, workspace: 500 } as const;

/**
 * Stores a report with the current answer. `conflict`: its idempotency key has just been used. `full`: the
 * reporter already has too many reports queued.
 */
export async function submit(
  deps: CorrectionParts,
  { reporter, source, claim, actualReport, notifyEmail, idempotency }: Submission,
): Promise<{ kind: 'saved'; id: string } | { kind: 'conflict' } | QueueFull> {
  const form = readVin(claim.vin);
  const vin = form.kind === 'vin' ? form.vin : null;
  const answered = vin === null ? null : JSON.stringify(deps.corrected.explain(vin));
  const hash = claimHash(vin ?? undefined, claim);
  const subject = subjectFor(reporter);
  return audited(deps, subject, async ({ transaction, atMs, appendEntry }) => {
    const id = v7({ msecs: atMs });
    const queued = await transaction
      .selectFrom('correction_reports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('subject', '=', subject)
      .where('state', '=', 'queued')
      .executeTakeFirstOrThrow();
    const most = MOST_QUEUED[reporter.kind];
    if (queued.count >= most) return { kind: 'full', most };
    if (idempotency !== undefined) {
      const isFirst = await storeOutcome(transaction, idempotency.scope, idempotency.recordOf(id));
      if (!isFirst) return { kind: 'conflict' };
    }
    // Serialized, so that of two concurrent submissions the second sees the first.
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
        subject,
        key_id: reporter.kind === 'workspace' ? reporter.keyId : null,
        notify_email: notifyEmail ?? null,
        duplicate_of: first?.id ?? null,
        state: 'queued',
        created_at: atMs,
      })
      .execute();
    const details = { source, duplicateOf: first?.id ?? null };
    await appendEntry({ action: 'report.queued', subject: `report:${id}`, details });
    return { kind: 'saved', id };
  });
}

function subjectFor(reporter: Reporter): Actor {
  return reporter.kind === 'workspace' ? workspaceSubject(reporter.workspaceId) : `public:${reporter.clientId}`;
}
