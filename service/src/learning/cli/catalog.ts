import {
  CAR_REGISTERS,
  importedTables,
  importRegister,
  importVpic,
  isCarRegister,
  rebuildCatalog,
  type RegisterName,
  type RegisterOutcome,
  REGISTERS,
  removeImport,
} from '@marque/catalog';
import { Argument, InvalidArgumentError } from 'commander';

import { addDiff } from './diff.ts';
import { addLearn } from './learn.ts';
import { addRevert, type ImportOptions, importLearned } from './overlay.ts';
import { gainLines, importCars, refusalLine, registersOf, removeCars } from './registers.ts';
import type { Command } from '../../kernel/cli/command.ts';
import { configuredCatalogFile, openConfiguredCatalog, replacedCatalogFile } from '../../catalog/index.ts';
import { progressBar } from '../../decode/cli/index.ts';
import { CommandError, type Io, type JsonOption, writeOutcome } from '../../kernel/cli/io.ts';
import { configOf } from '../../kernel/cli/settings.ts';

const SOURCES_HELP =
  "where the data comes from: vpic, NHTSA's official download; or " +
  Object.entries({ ...REGISTERS, ...CAR_REGISTERS })
    .map(([name, { title }]) => `${name}, ${title}`)
    .join('; ');

const SOURCES = ['vpic', ...Object.keys(REGISTERS), ...Object.keys(CAR_REGISTERS)];

const LEARNED = 'learned';

const IMPORT_HELP = `${SOURCES_HELP}; or ${LEARNED}, rows that marque catalog learn wrote, which take effect on all running instances`;

function isRegister(source: string): source is RegisterName {
  return Object.hasOwn(REGISTERS, source);
}

/** Adds `catalog build|import|revert|learn|remove|info`. */
export function define(catalog: Command, io: Io): void {
  catalog
    .command('build')
    .description('compile the catalog from its facts, even if they have not changed')
    .option('--vpic <file>', "NHTSA's official download, in place of the packaged data or of an earlier download")
    .option('--json', 'print the outcome as JSON')
    .about('A download is kept: later builds take it too, until marque catalog remove vpic.')
    .reads('CATALOG_FILE')
    .action((options: BuildOptions) => runBuild(options, io));

  catalog
    .command('import')
    .description('compile the catalog with external data')
    .addArgument(new Argument('<source>', IMPORT_HELP).choices([...SOURCES, LEARNED]))
    .argument(
      '[files...]',
      'the downloaded file, zipped or not; several files for a register that is published by year; for learned, the folder (default: learned)',
    )
    .option('--preview', 'learned and all registers: only show what would change')
    .option('--reason <text>', 'learned and registers of cars: the reason, for the audit log')
    .option('--json', 'print the outcome as JSON')
    .about(
      'docs/importing.md says where to download each source, how large it is, and how long an import takes; docs/registers.md does so for registers of cars, which take effect on all running instances. An import replaces an earlier one from the same source; imports from other sources stay. The catalog in use is replaced only after the new one has been verified.',
    )
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async (source: string, files: string[], options: ImportOptions) => importFrom(source, files, options, io));
  addRevert(catalog, io);

  addLearn(catalog, io);
  addDiff(catalog, io);

  catalog
    .command('remove')
    .description('undo the import of a source')
    .addArgument(new Argument('<source>', 'the source to remove').choices(SOURCES))
    .option('--json', 'print the outcome as JSON')
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action((source: string, options: JsonOption) => runRemove(source, options, io));

  catalog
    .command('info')
    .description('show what the catalog contains')
    .option('--json', 'print it as JSON')
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async (options: JsonOption) => {
      const config = configOf(io);
      const info = { file: configuredCatalogFile(config), ...openConfiguredCatalog(config).info };
      const registers = await registersOf(io);
      const tables = importedTables();
      const { sources, ...counts } = info;
      const lines = Object.entries(counts).map(([name, value]) => `${name.padEnd(14)} ${value}\n`);
      const named = sources.map(({ id, title, imported }) =>
        [id.padEnd(14), title, ...(imported === undefined ? [] : [`imported ${imported}`])].join(' · '),
      );
      const text = `${lines.join('')}\nsources\n${named.map((line) => `  ${line}`).join('\n')}${tableText(tables)}${registerText(registers)}`;
      return writeOutcome(io, options, { ...info, imports: tables, registers }, text);
    });
}

function tableText(tables: ReturnType<typeof importedTables>): string {
  if (tables.length === 0) return '';
  const lines = tables.map(({ id, imported, records, fields }) => {
    const said = fields.map(({ field, rows }) => `${field} ${rows}`).join(', ');
    return `\n  ${id.padEnd(14)} imported ${imported} · ${records} records · rows by field: ${said}`;
  });
  return `\n\nimported registers${lines.join('')}`;
}

function registerText(registers: Awaited<ReturnType<typeof registersOf>>): string {
  if (registers.length === 0) return '';
  const lines = registers.map(({ id, imported, cars, fields }) => {
    const learned = fields.map(({ field, patterns }) => `${field} ${patterns}`).join(', ');
    const { counts = 'cars' }: { counts?: string } = isCarRegister(id) ? CAR_REGISTERS[id] : {};
    return `\n  ${id.padEnd(14)} imported ${imported} · ${cars} ${counts} · patterns by field: ${learned}`;
  });
  return `\n\nregisters of cars${lines.join('')}`;
}

async function importFrom(source: string, files: readonly string[], options: ImportOptions, io: Io): Promise<void> {
  const [file, ...others] = files;
  if (source === LEARNED) {
    if (others.length > 0) throw new InvalidArgumentError('learned takes a single folder.');
    return importLearned(file, options, io);
  }
  if (file === undefined) throw new InvalidArgumentError(`Name the files to import from ${source}.`);
  if (isCarRegister(source)) return importCars(source, files, options, io);
  if (isRegister(source)) return importTypes(source, files, options, io);
  if (others.length > 0) throw new InvalidArgumentError('vpic takes a single file.');
  if (options.preview === true)
    throw new InvalidArgumentError('vpic has no preview: marque catalog diff compares catalogs.');
  const startedAt = performance.now();
  const bar = progressBar('Reading', 1, io.stderr);
  const target = replacedCatalogFile(configOf(io));
  const outcome = await importVpic(file, { target, onProgress: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = secondsSince(startedAt);
  const counts = `${outcome.rows} patterns of ${outcome.schemas} schemas and ${outcome.wmis} WMIs`;
  const text = `Imported ${counts} in ${seconds} s: ${outcome.file}\n${RESTART}`;
  return writeOutcome(io, options, { ...outcome, seconds }, text);
}

interface BuildOptions extends JsonOption {
  vpic?: string;
}

async function runBuild(options: BuildOptions, io: Io): Promise<void> {
  if (options.vpic !== undefined) return importFrom('vpic', [options.vpic], options, io);
  const startedAt = performance.now();
  const outcome = await rebuildCatalog({ target: replacedCatalogFile(configOf(io)) });
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  const seconds = secondsSince(startedAt);
  const { file } = outcome;
  return writeOutcome(io, options, { file, seconds }, `Built the catalog in ${seconds} s: ${file}`);
}

async function runRemove(source: string, options: JsonOption, io: Io): Promise<void> {
  if (isCarRegister(source)) return removeCars(source, options, io);
  const outcome = await removeImport(source, { target: replacedCatalogFile(configOf(io)) });
  if (outcome.kind === 'refused') throw new CommandError(outcome.reason);
  return writeOutcome(io, options, outcome, `Removed ${source}: ${outcome.file}\n${RESTART}`);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

/** A compiled catalog is used from the next start on. */
const RESTART = 'Restart a running service to use it.';

type Imported = Extract<RegisterOutcome, { kind: 'imported' }>;

/**
 * Compiles the catalog with a register of types and variants; reports the changes and, with `--preview`, stops there.
 */
async function importTypes(
  name: RegisterName,
  files: readonly string[],
  options: JsonOption & { preview?: boolean },
  io: Io,
): Promise<void> {
  const startedAt = performance.now();
  const { preview = false } = options;
  const bar = progressBar('Reading', 1, io.stderr);
  const target = replacedCatalogFile(configOf(io));
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
