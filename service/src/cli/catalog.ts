import { buildCatalog, importRegister, importVpic, type RegisterName, REGISTERS } from '@marque/catalog';
import { Argument, type Command } from 'commander';

import { configuredCatalogFile, openConfiguredCatalog } from '../catalog.ts';
import { shareBar } from './decode/progress.ts';
import { CommandFailure, type Io, write, writeJson } from './io.ts';
import { configOf } from './settings.ts';

const IMPORT_HELP = `
NHTSA publishes the file monthly at https://vpic.nhtsa.dot.gov/downloads/ ; it holds transmissions, drives, power,
batteries and more that the data Marque comes with lacks. The catalog in use stays until the new one is verified.`;

const SOURCES_HELP =
  "what the data is: vpic, NHTSA's official download; or a register: " +
  Object.entries(REGISTERS)
    .map(([name, { title }]) => `${name}, ${title}`)
    .join('; ');

function isRegister(source: string): source is RegisterName {
  return Object.hasOwn(REGISTERS, source);
}

/** Adds `catalog build|import|info`. */
export function addCatalog(program: Command, io: Io): void {
  const catalog = program.command('catalog').description('the facts that VINs are decoded with');

  catalog
    .command('build')
    .description('compile the catalog from its facts, whether or not they changed')
    .option('--json', 'print the outcome as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const startedAt = performance.now();
      const file = buildCatalog();
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      if (json === true) return writeJson(io.stdout, { file, seconds });
      return write(io.stdout, `Catalog built in ${seconds} s: ${file}\n`);
    });

  catalog
    .command('import')
    .description('compile the catalog with data from outside')
    .addArgument(new Argument('<source>', SOURCES_HELP).choices(['vpic', ...Object.keys(REGISTERS)]))
    .argument(
      '<file>',
      'the downloaded vPICList_lite_….plain.zip or the .sql in it; or the register as .csv, .gz or .zip',
    )
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', IMPORT_HELP)
    .action((source: string, file: string, { json }: { json?: boolean }) =>
      isRegister(source) ? runRegister(source, file, json === true, io) : runImport(file, json === true, io),
    );

  catalog
    .command('info')
    .description('what the catalog holds')
    .option('--json', 'print it as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = configOf(io);
      const info = { file: configuredCatalogFile(config), ...openConfiguredCatalog(config).info };
      if (json === true) return writeJson(io.stdout, info);
      const lines = Object.entries(info).map(([name, value]) => `${name.padEnd(14)} ${value}\n`);
      return write(io.stdout, lines.join(''));
    });
}

/** Reasons that are told; the rest are counted. */
const REASONS_TOLD = 5;

async function runRegister(source: RegisterName, file: string, json: boolean, io: Io): Promise<void> {
  const bar = shareBar('Reading', io.stderr);
  const target = configuredCatalogFile(configOf(io));
  const outcome = await importRegister(source, file, { target, onProgress: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandFailure(outcome.reason);
  if (json) return writeJson(io.stdout, outcome);
  const { records, variants, refused } = outcome;
  const lines = refused.slice(0, REASONS_TOLD).map((reason) => `  ${reason.records} not taken: ${reason.reason}\n`);
  return write(
    io.stdout,
    `Imported ${variants} variants from ${records} records: ${outcome.file}\n${lines.join('')}` +
      'A running service uses them when it is started again.\n',
  );
}

async function runImport(file: string, json: boolean, io: Io): Promise<void> {
  const startedAt = performance.now();
  const bar = shareBar('Reading', io.stderr);
  const target = configuredCatalogFile(configOf(io));
  const outcome = await importVpic(file, { target, onProgress: bar.to }).finally(bar.stop);
  if (outcome.kind === 'refused') throw new CommandFailure(outcome.reason);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  if (json) return writeJson(io.stdout, { ...outcome, seconds });
  const counts = `${outcome.rows} patterns of ${outcome.schemas} schemas and ${outcome.wmis} WMIs`;
  await write(
    io.stdout,
    `Imported ${counts} in ${seconds} s: ${outcome.file}\nA running service uses it when it is started again.\n`,
  );
}
