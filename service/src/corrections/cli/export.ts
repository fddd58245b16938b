import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { lintWorld, readWorld } from '@marque/catalog';

import type { Corrections, Override } from '../index.ts';
import { toFacts } from '../export/facts.ts';
import { toCsv, writeFacts } from '../export/write.ts';
import { CommandError, type Io, type JsonOption, write, writeJson } from '../../kernel/cli/io.ts';
import { withCorrections } from './open.ts';

const PAGE = 200;

/** Prints overrides as rows of facts, or writes them into a folder of facts and lints it. */
export async function exportFacts(io: Io, { to, json }: { to?: string } & JsonOption): Promise<void> {
  if (to !== undefined && !existsSync(join(to, 'sources.csv'))) {
    throw new CommandError(`${to} is not a facts folder: it has no sources.csv. Give a copy of catalog/facts/world.`);
  }
  const overrides = await withCorrections(io, allInForce);
  if (overrides.length === 0) {
    await write(io.stderr, 'There are no accepted corrections to export.\n');
    if (json !== true) return;
  }
  const before = readWorld(to);
  const facts = toFacts(overrides, before.profiles);
  if (json === true) await writeJson(io.stdout, facts);
  else if (to === undefined) await write(io.stdout, toCsv(facts.makers.flatMap(({ rows }) => rows)));
  for (const { overrideId, why } of facts.leftOut)
    await write(io.stderr, `Left out of override ${overrideId}: ${why}\n`);
  if (to === undefined) return;
  const files = writeFacts(to, facts);
  for (const file of files) await write(io.stderr, `Wrote ${file}\n`);
  const after = files.length === 0 ? before : readWorld(to);
  const problems = lintWorld(after).map(({ where, what }) => `${where}: ${what}`);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/** Newest first. */
async function allInForce(corrections: Corrections): Promise<Override[]> {
  const overrides: Override[] = [];
  for (;;) {
    const last = overrides.at(-1);
    const page = await corrections.overrides({ limit: PAGE, ...(last === undefined ? {} : { after: last.id }) });
    overrides.push(...page);
    if (page.length < PAGE) return overrides;
  }
}
