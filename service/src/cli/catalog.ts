import {
  importRegister,
  importVpic,
  rebuildCatalog,
  type RegisterName,
  REGISTERS,
  removeImport,
  type Refusal,
} from '@marque/catalog';
import { Argument, InvalidArgumentError } from 'commander';

import { addDiff } from './catalog-diff.ts';
import { addLearn } from './catalog-learn.ts';
import { addRevert, importLearned } from './catalog-overlay.ts';
import type { Command } from './command.ts';
import { configuredCatalogFile, openConfiguredCatalog } from '../features/decode/open-catalog.ts';
import { shareBar } from './decode/progress.ts';
import { CommandError, type Io, write, writeJson } from './io.ts';
import { configOf } from './settings.ts';

const SOURCES_HELP =
  "what the data is: vpic, NHTSA's official download; or " +
  Object.entries(REGISTERS)
    .map(([name, { title }]) => `${name}, ${title}`)
    .join('; ');

const SOURCES = ['vpic', ...Object.keys(REGISTERS)];

const LEARNED = 'learned';

const IMPORT_HELP = `${SOURCES_HELP}; or ${LEARNED}, rows that marque catalog learn wrote, live on all instances at once`;

function isRegister(source: string): source is RegisterName {
  return Object.hasOwn(REGISTERS, source);
}

/** Adds `catalog build|import|revert|learn|remove|info`. */
export function addCatalog(catalog: Command, io: Io): void {
  catalog
    .command('build')
    .description('compile the catalog from its facts, whether or not they changed')
    .option('--json', 'print the outcome as JSON')
    .action(({ json }: { json?: boolean }) => runBuild(json === true, io));

  catalog
    .command('import')
    .description('compile the catalog with data from outside')
    .addArgument(new Argument('<source>', IMPORT_HELP).choices([...SOURCES, LEARNED]))
    .argument(
      '[files...]',
      'the download as it is, also zipped; several of a register that is published by year; for learned the folder (default: learned)',
    )
    .option('--preview', 'learned: only say what would change')
    .option('--reason <text>', 'learned: why, for the audit log')
    .option('--json', 'print the outcome as JSON')
    .about(
      'Where to download each, how large it is, and how long it takes: docs/importing.md. What was imported before stays, but for the same source. The catalog in use stays until the new one is verified.',
    )
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async (source: string, files: string[], options: ImportOptions) => importFrom(source, files, options, io));
  addRevert(catalog, io);

  addLearn(catalog, io);
  addDiff(catalog, io);

  catalog
    .command('remove')
    .description('compile the catalog without what was imported from a source')
    .addArgument(new Argument('<source>', 'what was imported').choices(SOURCES))
    .option('--json', 'print the outcome as JSON')
    .action((source: string, { json }: { json?: boolean }) => runRemove(source, json === true, io));

  catalog
    .command('info')
    .description('what the catalog holds')
    .option('--json', 'print it as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = configOf(io);
      const info = { file: configuredCatalogFile(config), ...openConfiguredCatalog(config).info };
      if (json === true) return writeJson(io.stdout, info);
      const { sources, ...counts } = info;
      const lines = Object.entries(counts).map(([name, value]) => `${name.padEnd(14)} ${value}\n`);
      const named = sources.map(({ id, title, imported }) =>
        [id.padEnd(14), title, ...(imported === undefined ? [] : [`imported ${imported}`])].join(' · '),
      );
      return write(io.stdout, `${lines.join('')}\nsources\n${named.map((line) => `  ${line}\n`).join('')}`);
    });
}

interface ImportOptions {
  preview?: boolean;
  reason?: string;
  json?: boolean;
}

async function importFrom(source: string, files: readonly string[], options: ImportOptions, io: Io): Promise<void> {
  const [file, ...others] = files;
  if (source === LEARNED) {
    if (others.length > 0) throw new InvalidArgumentError('learned takes one folder.');
    return importLearned(file, options, io);
  }
  if (file === undefined) throw new InvalidArgumentError(`${source} takes the files to import.`);
  const json = options.json === true;
  return isRegister(source) ? runRegister(source, files, json, io) : runImport(files, json, io);
}

async function runBuild(json: boolean, io: Io): Promise<void> {
  const startedAt = performance.now();
  const outcome = await rebuildCatalog();
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = secondsSince(startedAt);
  if (json) return writeJson(io.stdout, { file: outcome.file, seconds });
  return write(io.stdout, `Built the catalog in ${seconds} s: ${outcome.file}\n`);
}

async function runRemove(source: string, json: boolean, io: Io): Promise<void> {
  const outcome = await removeImport(source, { target: configuredCatalogFile(configOf(io)) });
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  if (json) return writeJson(io.stdout, outcome);
  return write(io.stdout, `Removed ${source}: ${outcome.file}\n${RESTART}`);
}

const RESTART = 'A running service uses it when it is started again.\n';

async function runRegister(source: RegisterName, files: readonly string[], json: boolean, io: Io): Promise<void> {
  const startedAt = performance.now();
  const bar = shareBar('Reading', io.stderr);
  const target = configuredCatalogFile(configOf(io));
  const outcome = await importRegister(source, files, { target, onShare: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = secondsSince(startedAt);
  if (json) return writeJson(io.stdout, { ...outcome, seconds });
  const { records, taken, variants, approvals, refused } = outcome;
  const counts = `${variants} variants and ${approvals} types by VIN pattern`;
  return write(
    io.stdout,
    `Imported ${counts} from ${taken} of ${records} records in ${seconds} s: ${outcome.file}\n` +
      `${refused.map(refusalLine).join('')}${RESTART}`,
  );
}

function refusalLine({ reason, records, lines }: Refusal): string {
  const more = records > lines.length ? ', …' : '';
  return `  ${records} not taken: ${reason} (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})\n`;
}

async function runImport(files: readonly string[], json: boolean, io: Io): Promise<void> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new InvalidArgumentError('vpic takes one file.');
  const startedAt = performance.now();
  const bar = shareBar('Reading', io.stderr);
  const target = configuredCatalogFile(configOf(io));
  const outcome = await importVpic(file, { target, onProgress: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = secondsSince(startedAt);
  if (json) return writeJson(io.stdout, { ...outcome, seconds });
  const counts = `${outcome.rows} patterns of ${outcome.schemas} schemas and ${outcome.wmis} WMIs`;
  return write(io.stdout, `Imported ${counts} in ${seconds} s: ${outcome.file}\n${RESTART}`);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
