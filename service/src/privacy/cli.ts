import { setTimeout as sleep } from 'node:timers/promises';

import { readVin } from '@marque/decoder';

import { operator, withDatabase } from '../kernel/cli/settings.ts';
import type { Command } from '../kernel/cli/command.ts';
import { SECOND_MS, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import {
  type Erased,
  type Erasure,
  type ExportedRecord,
  FOLLOWED_MS,
  parsed,
  type PrivacySubject,
  type SlicePrivacy,
} from '../kernel/privacy.ts';
import type { PrivacyOwner } from '../kernel/slice.ts';
import { CommandError, type Io, type JsonOption, write, writeNote, writeOutcome } from '../kernel/cli/io.ts';
import type { Config } from '../kernel/config/config.ts';
import { forgetBodies } from '../metering/index.ts';
import { workspaceNamed } from '../workspaces/cli/index.ts';
import { workspaceSubject } from '../workspaces/index.ts';
import { type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { maskMentions, mentionsOf } from './mentions.ts';
import { againAfter, cleanFiles } from './sqlite-files.ts';
import { renewStatistics } from './statistics.ts';

interface SubjectOptions {
  vin?: string;
  workspace?: string;
}

type EraseOptions = SubjectOptions & JsonOption & { yes?: boolean };

/** Adds `privacy export|erase`. */
export function define(privacy: Command, io: Io, slices: readonly PrivacyOwner[]): void {
  privacy.reads('DATA_DIR', 'DATABASE_URL');

  privacy
    .command('export')
    .description('print what is stored about a VIN or a workspace, one JSON record per line')
    .option('--vin <vin>', 'about this vehicle')
    .option('--workspace <slug>', 'about this workspace and the people in it')
    .action(async (options: SubjectOptions) =>
      withDatabase(io, async (database, config) => {
        for await (const record of exportOf(
          database,
          await partsOf(slices),
          await subjectOf(database, options, config),
        )) {
          await write(io.stdout, `${JSON.stringify(record)}\n`);
        }
      }),
    );

  privacy
    .command('erase')
    .description('permanently delete what is stored about a VIN or a workspace, except usage counts and the audit log')
    .option('--vin <vin>', 'of this vehicle, for every workspace')
    .option(
      '--workspace <slug>',
      'of this workspace, which is closed, and of its members who belong to no other workspace',
    )
    .option('--yes', 'confirm; without this, nothing is changed')
    .option('--json', 'print what was erased as JSON')
    .action(async (options: EraseOptions) => eraseWith(io, slices, options));
}

async function eraseWith(io: Io, slices: readonly PrivacyOwner[], options: EraseOptions): Promise<void> {
  const erased = await withDatabase(io, async (database, config) => {
    const subject = await subjectOf(database, options, config);
    if (options.yes !== true) {
      throw new CommandError('This cannot be undone. Check with marque privacy export, then add --yes.');
    }
    const { pause = sleep } = io;
    const settled = async (ms: number): Promise<void> => {
      if (ms > FOLLOWED_MS) await writeNote(io, `Waiting ${ms / SECOND_MS} s for requests that are under way.\n`);
      await pause(ms);
    };
    const deps = { database, clock: systemClock, actor: operator(), settled };
    let isErased = false;
    try {
      const done = await erase(deps, await partsOf(slices), subject);
      isErased = true;
      await writeNote(io, await cleanFiles(database, subject));
      await writeNote(io, await renewStatistics(database));
      return done;
    } catch (error) {
      await writeNote(
        io,
        `The erasure is not finished. Remove what stopped it, then run ${await again(database, subject, isErased)}.\n`,
      );
      throw error;
    }
  });
  const parts = Object.entries(erased).map(([kind, count]) => `${count} ${kind}`);
  return writeOutcome(
    io,
    options,
    erased,
    `Erased: ${parts.join(', ')}. Backups made earlier still contain this data.`,
  );
}

/**
 * Returns the command that goes on with an erasure: a workspace may have another name by now, of which only the database
 * knows until the erasure is done; both names, if it does not answer.
 */
export async function again({ kysely }: Database, subject: PrivacySubject, isErased: boolean): Promise<string> {
  if (subject.kind === 'vin' || isErased) return againAfter(subject);
  const named = kysely.selectFrom('workspaces').select('slug').where('id', '=', subject.id);
  const found = await named.executeTakeFirst().catch(() => undefined);
  const command = `marque privacy erase --workspace ${found?.slug ?? subject.slug} --yes`;
  return found === undefined ? `${command}; if there is no such workspace any more, ${againAfter(subject)}` : command;
}

async function partsOf(slices: readonly PrivacyOwner[]): Promise<SlicePrivacy[]> {
  const parts: SlicePrivacy[] = [];
  for (const { privacy } of slices) if (privacy !== undefined) parts.push(await privacy());
  return parts;
}

async function subjectOf(
  database: Database,
  { vin, workspace: slug }: SubjectOptions,
  config: Config,
): Promise<PrivacySubject> {
  if ((vin === undefined) === (slug === undefined)) throw new CommandError('Give either --vin or --workspace.');
  if (vin !== undefined) {
    const form = readVin(vin);
    if (form.kind === 'malformed') throw new CommandError(form.message);
    return form;
  }
  const { id, slug: known } = await workspaceNamed(database, slug ?? '', config);
  return { kind: 'workspace', id, slug: known };
}

/** Erases the data that the slices store about a subject. Repeating it does no harm: after a failure, start again. */
export async function erase(
  deps: ActDeps & { actor: Actor; settled: (afterMs: number) => Promise<unknown> },
  slices: readonly SlicePrivacy[],
  subject: PrivacySubject,
): Promise<Erased> {
  const erasures: Erasure[] = [];
  for (const { erasure } of slices) erasures.push(await erasure(deps, subject));
  const before = [await withdraw(erasures, deps.settled)];
  for (const { mask } of erasures) if (mask !== undefined) before.push(await mask());
  const erased = await audited(deps, deps.actor, async (act) => {
    const parts = [...before];
    for (const { erase: part } of erasures) if (part !== undefined) parts.push(await part(act));
    const details = sumOf(parts);
    await act.appendEntry({ action: 'privacy.erased', subject: nameOf(subject), details });
    return details;
  });
  // What the slices delete whole, such as a mail, is gone by now.
  if (subject.kind !== 'vin') return erased;
  const mentions = await maskMentions(deps.database, subject.vin);
  // Last: the hash of whatever was masked is gone, too.
  await forgetBodies(deps.database);
  return { ...erased, mentions };
}

async function withdraw(erasures: readonly Erasure[], settled: (afterMs: number) => Promise<unknown>): Promise<Erased> {
  const withdrawn = [];
  for (const { withdraw: part } of erasures) if (part !== undefined) withdrawn.push(await part());
  const waitMs = Math.max(0, ...withdrawn.map(({ settledInMs }) => settledInMs));
  if (waitMs > 0) await settled(waitMs);
  return sumOf(withdrawn.map(({ erased = {} }) => erased));
}

function sumOf(parts: readonly Erased[]): Erased {
  const sums: Record<string, number> = {};
  for (const [kind, count] of parts.flatMap(Object.entries<number>)) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

/** Returns the subject as the audit log may keep it. */
function nameOf(subject: PrivacySubject): string {
  return subject.kind === 'vin' ? `vin:${maskVin(subject.vin)}` : workspaceSubject(subject.id);
}

/**
 * Yields everything that the slices store about a subject, one record at a time, then a workspace's part of the audit
 * log, or where else a VIN is mentioned.
 */
async function* exportOf(
  database: Database,
  slices: readonly SlicePrivacy[],
  subject: PrivacySubject,
): AsyncGenerator<ExportedRecord> {
  for (const { records } of slices) if (records !== undefined) yield* records(database, subject);
  yield* subject.kind === 'workspace'
    ? auditOf(database, workspaceSubject(subject.id))
    : mentionsOf(database, subject.vin);
}

async function* auditOf({ kysely }: Database, subject: string): AsyncGenerator<ExportedRecord> {
  const audit = await kysely
    .selectFrom('audit_log')
    .select(['seq', 'at', 'actor', 'action', 'subject', 'details'])
    .where((where) => where.or([where('actor', '=', subject), where('subject', '=', subject)]))
    .orderBy('seq')
    .execute();
  for (const row of audit) yield { kind: 'audit', ...row, details: parsed(row.details) };
}
