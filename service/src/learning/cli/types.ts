import { importRegister, type RegisterName, type RegisterOutcome } from '@marque/catalog';

import { configuredCatalogFile } from '../../catalog/open.ts';
import { progressBar } from '../../decode/cli/progress.ts';
import { CommandError, type Io, type JsonOption, writeOutcome } from '../../kernel/cli/io.ts';
import { configOf } from '../../kernel/cli/settings.ts';
import { gainLines, refusalLine } from './registers.ts';

/** What is compiled into the catalog is used from the next start on. */
export const RESTART = 'Restart a running service to use it.';

type Imported = Extract<RegisterOutcome, { kind: 'imported' }>;

/** Compiles the catalog with a register of types and variants; says what that changes and, with `--preview`, stops there. */
export async function importTypes(
  name: RegisterName,
  files: readonly string[],
  options: JsonOption & { preview?: boolean },
  io: Io,
): Promise<void> {
  const startedAt = performance.now();
  const { preview = false } = options;
  const bar = progressBar('Reading', 1, io.stderr);
  const target = configuredCatalogFile(configOf(io));
  const outcome = await importRegister(name, files, { target, preview, onShare: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const { records, taken, variants, approvals } = outcome;
  const counts = `${variants} variants and ${approvals} types by VIN pattern from ${taken} of ${records} records`;
  const text = [
    preview ? `Read ${counts} in ${seconds} s.` : `Imported ${counts} in ${seconds} s: ${outcome.file}`,
    ...outcome.refused.map(refusalLine),
    ...changeLines(outcome.impact),
    preview ? 'Nothing was changed.' : `${RESTART} To undo this: marque catalog remove ${name}`,
  ].join('\n');
  return writeOutcome(io, options, { ...outcome, preview, seconds }, text);
}

function changeLines(impact: Imported['impact']): string[] {
  if (impact === undefined) return [];
  const { changed, changes, ...answers } = impact;
  if (changed === 0) return [...gainLines(answers), 'No answer of the catalog changes for its VIN patterns.'];
  return [
    ...gainLines(answers),
    `${changed} answers of the catalog change for its VIN patterns. The most patterns:`,
    ...changes.map(
      ({ mask, field, before, after, patterns }) => `  ${mask} ${field}: ${before} > ${after} (${patterns} patterns)`,
    ),
  ];
}
