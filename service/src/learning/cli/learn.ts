import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CAR_COLUMNS, type ColumnNames, type LabeledVin, type Learned, learnFromFiles } from '@marque/catalog';
import type { Decoder } from '@marque/decoder';
import { InvalidArgumentError } from 'commander';

import { labeledByCorrections } from '../../corrections/index.ts';
import { openSharedCatalog } from '../../catalog/index.ts';
import type { Config } from '../../kernel/config/config.ts';
import { SQLITE_FILE } from '../../kernel/db/sqlite.ts';
import type { Command } from '../../kernel/cli/command.ts';
import { CommandError, type Io, write, writeJson } from '../../kernel/cli/io.ts';
import { configOf, withDatabase } from '../../kernel/cli/settings.ts';

/** Contradictions and unread labels beyond these are counted: the first ones matter most. */
const SHOWN = 40;

interface LearnOptions {
  column?: ColumnNames;
  out?: string;
  corrections: boolean;
  json?: boolean;
}

/** Adds `catalog learn`. */
export function addLearn(catalog: Command, io: Io): void {
  catalog
    .command('learn')
    .description('learn from labeled cars what the catalog leaves open')
    .argument('<files...>', 'labeled cars: JSONL as in catalog/facts/labelled, or CSV with a header')
    .option(
      '--column <field=name>',
      `the name of the CSV column that contains a field; repeat for more; fields: ${fields()}`,
      addColumn,
    )
    .option(
      '--out <folder>',
      'write the rows to this folder, with one subfolder per maker, in the format of catalog/facts/world',
    )
    .option('--no-corrections', 'do not learn from the accepted corrections in the database')
    .option('--json', 'print the result as JSON')
    .about(
      'A row is learned where enough independent groups of cars (the same positions 1-8, 10 and 11) agree: how many, follows from how often the search was right about cars held out from it. Rows that labeled cars contradict are listed, those that mislead most cars first. Accepted corrections count as labeled cars, where there is a database. What was learned goes live with marque catalog import learned.',
    )
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .example('learn from a stock list', 'marque catalog learn cars.csv --column make=Marke --out learned')
    .action((files: string[], options: LearnOptions) => runLearn(files, options, io));
}

function fields(): string {
  return Object.keys(CAR_COLUMNS).join(', ');
}

function addColumn(text: string, before: ColumnNames = {}): ColumnNames {
  const [field = '', name = ''] = text.split('=', 2);
  if (!Object.hasOwn(CAR_COLUMNS, field) || name === '') {
    throw new InvalidArgumentError(`Write it as FIELD=NAME. The fields are ${fields()}.`);
  }
  return { ...before, [field]: name };
}

async function runLearn(
  files: readonly string[],
  { column, out, corrections, json }: LearnOptions,
  io: Io,
): Promise<void> {
  const config = configOf(io);
  const { bytes: catalog, decoder } = openSharedCatalog(config);
  const corrected = corrections ? await acceptedCars(decoder, config, io) : [];
  const learned = await learnFromFiles(files, {
    catalog,
    cars: corrected,
    ...(column !== undefined && { columns: column }),
    ...(out !== undefined && { out }),
  }).catch((error: unknown) => {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  });
  if (json === true) return writeJson(io.stdout, { ...learned, tables: Object.fromEntries(learned.tables) });
  return write(io.stdout, describe(learned, out));
}

/** Reads cars of accepted corrections. Creates nothing: without a database there are no corrections. */
async function acceptedCars(decoder: Decoder, { databaseUrl, dataDir }: Config, io: Io): Promise<LabeledVin[]> {
  if (databaseUrl === undefined && !existsSync(join(dataDir, SQLITE_FILE))) return [];
  return withDatabase(io, (database) => labeledByCorrections(database, decoder));
}

function describe(
  { tables, layouts, proven, contradictions, unknown, cars, malformed }: Learned,
  out?: string,
): string {
  const rows = [...tables.values()].reduce((count, table) => count + table.length, 0);
  const sections = [
    `${rows} rows learned from ${cars} cars, with ${layouts.length} new layouts${out === undefined ? '' : `: ${out}`}.`,
    ...(malformed > 0 ? [`${malformed} cars have no well-formed VIN.`] : []),
    listed(
      'How many groups of cars a row needs, and how often such rows were right about held-out cars:',
      proven
        .filter(({ count }) => count > 0)
        .map(
          ({ field, fewestGroups, right, count }) =>
            `${field}: ${fewestGroups ?? 'none learned'}, ${right} of ${count}`,
        ),
    ),
    listed(
      'Rows that the labels contradict:',
      contradictions.map(
        ({ row, says, against, groups, labels, cars: misled, advice }) =>
          `${row} says ${says}, ${against} of ${groups} groups say ${labels} (cars: ${misled}); ${advice}`,
      ),
    ),
    listed(
      'Labels that match no value in the catalog:',
      unknown.map(({ label, cars: count }) => `${label} (${count})`),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n')}\n`;
}

function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [title, ...[...lines.slice(0, SHOWN), ...more].map((line) => `  ${line}`)].join('\n');
}
