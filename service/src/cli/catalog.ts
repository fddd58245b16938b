import { buildCatalog } from '@marque/catalog';
import type { Command } from 'commander';

import { configuredCatalogFile, openConfiguredCatalog } from '../catalog.ts';
import { type Io, write, writeJson } from './io.ts';
import { configOf } from './settings.ts';

/** Adds `catalog build|info`. */
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
