import { setTimeout as sleep } from 'node:timers/promises';

import { audited } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import type { EraseDeps, Erased, Erasure, PrivacySubject, SlicePrivacy } from '../kernel/privacy.ts';
import { workspaceSubject } from '../workspaces/subject.ts';

/** What erasing needs beyond the slices. */
export interface EraseAllDeps extends EraseDeps {
  /** Resolves when every instance has followed a change of keys or overrides. */
  afterPropagation: () => Promise<unknown>;
}

/** Readers hold the log for milliseconds. */
const LOG_TRIES = 100;
const LOG_PAUSE_MS = 20;

/** Erases what the slices store about a subject. Repeating it does no harm: after a failure, start again. */
export async function erase(
  deps: EraseAllDeps,
  slices: readonly SlicePrivacy[],
  subject: PrivacySubject,
): Promise<Erased> {
  const erasures: Erasure[] = [];
  for (const { erasure } of slices) erasures.push(await erasure(deps, subject));
  const before = [await withdraw(erasures, deps.afterPropagation)];
  for (const { mask } of erasures) if (mask !== undefined) before.push(await mask());
  const erased = await audited(deps, deps.actor, async (act) => {
    const parts = [...before];
    for (const { erase: part } of erasures) if (part !== undefined) parts.push(await part(act));
    const details = sumOf(parts);
    await act.appendEntry({ action: 'privacy.erased', subject: nameOf(subject), details });
    return details;
  });
  await emptyLog(deps.database);
  return erased;
}

async function withdraw(erasures: readonly Erasure[], afterPropagation: () => Promise<unknown>): Promise<Erased> {
  const withdrawn = [];
  for (const { withdraw: part } of erasures) if (part !== undefined) withdrawn.push(await part());
  if (withdrawn.some(({ isCopied }) => isCopied)) await afterPropagation();
  return sumOf(withdrawn.map(({ erased = {} }) => erased));
}

function sumOf(parts: readonly Erased[]): Erased {
  const sums: Record<string, number> = {};
  for (const [kind, count] of parts.flatMap(Object.entries<number>)) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

/** The subject as the audit log may keep it. */
function nameOf(subject: PrivacySubject): string {
  return subject.kind === 'vin' ? `vin:${maskVin(subject.vin)}` : workspaceSubject(subject.id);
}

/**
 * SQLite overwrites in its file what is deleted; its log keeps it until it is copied into the file and emptied. While
 * someone reads, that waits: the log is then overwritten as the service goes on.
 */
async function emptyLog(database: Database): Promise<void> {
  if (database.engine !== 'sqlite') return;
  for (let tries = 0; tries < LOG_TRIES; tries++) {
    const isBusy = database.direct.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
    if (!isBusy) return;
    await sleep(LOG_PAUSE_MS);
  }
}
