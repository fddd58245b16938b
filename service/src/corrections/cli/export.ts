import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { lintWorld, readWorld } from '@marque/catalog';

import { CommandError, type Io, type JsonOption, write, writeJson, writeNote } from '../../kernel/cli/io.ts';
import { toCsv, toFacts, writeFacts } from '../facts.ts';
import type { Corrections, Override } from '../index.ts';
import { withCorrections } from './open.ts';

const PAGE = 200;

/**
 * Prints overrides as rows of facts, or writes those of patterns into a folder of facts and lints it: no erasure would
 * find a VIN there.
 */
export async function exportFacts(io: Io, { to, json }: { to?: string } & JsonOption): Promise<void> {
  if (to !== undefined && !existsSync(join(to, 'sources.csv'))) {
    throw new CommandError(`${to} is not a facts folder: it has no sources.csv. Give a copy of catalog/facts/world.`);
  }
  const overrides = await withCorrections(io, allInForce);
  if (overrides.length === 0) {
    await writeNote(io, 'There are no accepted corrections to export.\n');
    if (json !== true && to === undefined) return;
  }
  const exported = to === undefined ? overrides : overrides.filter(({ scope }) => scope.kind === 'pattern');
  const before = readWorld(to);
  const facts = toFacts(exported, before.layouts);
  if (json === true) await writeJson(io.stdout, facts);
  else if (to === undefined) await write(io.stdout, toCsv(facts.makers.flatMap(({ rows }) => rows)));
  for (const { overrideId, why } of facts.leftOut) await writeNote(io, `Left out of override ${overrideId}: ${why}\n`);
  await noteOwn(io, overrides.length - exported.length);
  if (to === undefined) return;
  const files = writeFacts(to, facts);
  for (const file of files) await writeNote(io, `Wrote ${file}\n`);
  const after = files.length === 0 ? before : readWorld(to);
  const problems = lintWorld(after).map(({ where, what }) => `${where}: ${what}`);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/** Says how many corrections are for one VIN. */
async function noteOwn(io: Io, count: number): Promise<void> {
  if (count === 0) return;
  const [what, stay] =
    count === 1 ? ['one correction', 'It stays an override'] : [`${count} corrections`, 'They stay overrides'];
  await writeNote(io, `Left out ${what} of a single VIN: no erasure would find the VIN in the facts. ${stay}.\n`);
}

/** Returns all overrides in force, newest first. */
async function allInForce(corrections: Corrections): Promise<Override[]> {
  const overrides: Override[] = [];
  for (;;) {
    const last = overrides.at(-1);
    const page = await corrections.overrides({ limit: PAGE, after: last?.id });
    overrides.push(...page);
    if (page.length < PAGE) return overrides;
  }
}
