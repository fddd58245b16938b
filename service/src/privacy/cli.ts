import { setTimeout as sleep } from 'node:timers/promises';

import { readVin } from '@marque/decoder';
import { operator } from '../kernel/cli/actor.ts';
import type { Command } from '../kernel/cli/command.ts';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { erase } from './erase.ts';
import { exportOf } from './export.ts';
import type { PrivacySubject, SlicePrivacy } from '../kernel/privacy.ts';
import type { PrivacyOwner } from '../kernel/slice.ts';
import { CommandError, type Io, type JsonOption, write, writeOutcome } from '../kernel/cli/io.ts';
import type { Config } from '../kernel/config/config.ts';
import { withDatabase } from '../kernel/cli/settings.ts';
import { workspaceNamed } from '../workspaces/cli/named.ts';

interface SubjectOptions {
  vin?: string;
  workspace?: string;
}

type EraseOptions = SubjectOptions & JsonOption & { yes?: boolean };

/** Every instance follows a change within two seconds. */
const PROPAGATION_MS = 2_500;
const afterPropagation = (): Promise<unknown> => sleep(PROPAGATION_MS);

/** Adds `privacy export|erase`. */
export function define(privacy: Command, io: Io, slices: readonly PrivacyOwner[]): void {
  privacy.reads('DATA_DIR', 'DATABASE_URL');

  privacy
    .command('export')
    .description('print everything that is stored about a VIN or a workspace, one JSON record per line')
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
    const deps = { database, clock: systemClock, actor: operator(), afterPropagation };
    return erase(deps, await partsOf(slices), subject);
  });
  const parts = Object.entries(erased).map(([kind, count]) => `${count} ${kind}`);
  return writeOutcome(
    io,
    options,
    erased,
    `Erased: ${parts.join(', ')}. Backups made earlier still contain this data.`,
  );
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
