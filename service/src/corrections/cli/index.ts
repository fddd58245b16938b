import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Option } from 'commander';
import { lintWorld, readWorld } from '@marque/catalog';

import type { Command } from '../../kernel/cli/command.ts';
import type { Corrections, Override, ReportState, ReportSummary } from '../index.ts';
import { REPORT_STATES } from '../tables.ts';
import { CommandError, type Io, type JsonOption, write, writeJson, writeList } from '../../kernel/cli/io.ts';
import { addDecisions } from './decide.ts';
import { reviewOf, reviewText, withCorrections } from './open.ts';
import { toCsv, toFacts, writeFacts } from '../export/facts.ts';

interface ListOptions extends JsonOption {
  state?: ReportState;
  vin?: string;
}

/** Adds `corrections list|show|preview|accept|reject|supersede|revert|export`. */
export function define(corrections: Command, io: Io): void {
  corrections.reads('DATA_DIR', 'DATABASE_URL');

  corrections
    .command('list')
    .description('list reports, with duplicates counted as one')
    .addOption(new Option('--state <state>', 'only those in this state').choices(REPORT_STATES))
    .option('--vin <text>', 'only those whose VIN contains this text')
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => list(io, options));

  corrections
    .command('show')
    .description('compare a report with what is decoded now, and show why')
    .argument('<id>', 'ID of the report, from marque corrections list')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: JsonOption) => show(io, id, options));

  addDecisions(corrections, io);

  corrections
    .command('export')
    .description("print the active corrections as rows of the catalog's facts, with the reports as their source")
    .option('--to <folder>', 'write them to this folder of facts (a copy of catalog/facts/world) and lint it')
    .option('--json', 'print the rows, the sources, and what was left out as JSON')
    .action(async (options: { to?: string } & JsonOption) => exportFacts(io, options));
}

async function list(io: Io, { state, vin, ...options }: ListOptions): Promise<void> {
  const reports = await withCorrections(io, (store) => store.list({ limit: 200, state, vin }));
  const columns = {
    Id: ({ id }: ReportSummary) => id,
    State: (report: ReportSummary) => report.state,
    VIN: ({ claim }: ReportSummary) => claim.vin,
    Make: ({ claim }: ReportSummary) => claim.expectedManufacturer,
    Model: ({ claim }: ReportSummary) => claim.expectedModel,
    Body: ({ claim }: ReportSummary) => claim.expectedBodyStyle,
    Year: ({ claim }: ReportSummary) => claim.expectedModelYear,
    Reports: ({ duplicates }: ReportSummary) => String(duplicates + 1),
    Since: ({ createdAtMs }: ReportSummary) => new Date(createdAtMs).toISOString().slice(0, 10),
  };
  return writeList(io, options, reports, columns, 'There are no such reports.');
}

async function show(io: Io, id: string, { json }: JsonOption): Promise<void> {
  const review = await withCorrections(io, (store) => reviewOf(store, id));
  return json === true ? writeJson(io.stdout, review) : write(io.stdout, reviewText(review));
}

const PAGE = 200;

/** Prints overrides as rows of facts, or writes them into a folder of facts and lints it. */
async function exportFacts(io: Io, { to, json }: { to?: string } & JsonOption): Promise<void> {
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
    const page = await corrections.overrides({ limit: PAGE, after: last?.id });
    overrides.push(...page);
    if (page.length < PAGE) return overrides;
  }
}
