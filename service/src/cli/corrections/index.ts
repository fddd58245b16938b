import { Option } from 'commander';

import type { Command } from '../command.ts';
import type { ReportState, ReportSummary } from '../../features/corrections/index.ts';
import { CommandError, type Io, write, writeJson, writeTable } from '../io.ts';
import { visible } from '../visible.ts';
import { addDecisions } from './decide.ts';
import { exportFacts } from './export.ts';
import { withCorrections } from './open.ts';
import { reviewText } from './show.ts';

const STATES = ['queued', 'accepted', 'rejected', 'superseded', 'reverted'] as const satisfies readonly ReportState[];

interface ListOptions {
  state?: ReportState;
  vin?: string;
  json?: boolean;
}

/** Adds `corrections list|show|preview|accept|reject|supersede|revert|export`. */
export function addCorrections(corrections: Command, io: Io): void {
  corrections.reads('DATA_DIR', 'DATABASE_URL');

  corrections
    .command('list')
    .description('reports; those that say the same counted as one')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--vin <text>', 'only those with this in their VIN')
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => list(io, options));

  corrections
    .command('show')
    .description('a report beside what is answered, and why')
    .argument('<id>', 'id of the report, from marque corrections list')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: { json?: boolean }) => show(io, id, options));

  addDecisions(corrections, io);

  corrections
    .command('export')
    .description("overrides in force as rows of the catalog's facts, with the reports as their source")
    .option('--to <folder>', 'write them into this folder of facts (catalog/facts/world) and lint it')
    .option('--json', 'print rows, sources, and what is left out as JSON')
    .action(async (options: { to?: string; json?: boolean }) => exportFacts(io, options));
}

async function list(io: Io, { state, vin, json }: ListOptions): Promise<void> {
  const reports = await withCorrections(io, (store) =>
    store.list({ limit: 200, ...(state === undefined ? {} : { state }), ...(vin === undefined ? {} : { vin }) }),
  );
  if (json === true) return writeJson(io.stdout, reports);
  if (reports.length === 0) return write(io.stdout, 'There is no such report.\n');
  const headings = ['Id', 'State', 'VIN', 'Make', 'Model', 'Body', 'Year', 'Reports', 'Since'];
  return writeTable(io.stdout, headings, reports.map(rowOf));
}

function rowOf({ id, state, claim, duplicates, createdAtMs }: ReportSummary): string[] {
  const { vin, expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear } = claim;
  const said = [vin, expectedManufacturer, expectedModel, expectedBodyStyle, expectedModelYear].map(visible);
  return [id, state, ...said, String(duplicates + 1), new Date(createdAtMs).toISOString().slice(0, 10)];
}

async function show(io: Io, id: string, { json }: { json?: boolean }): Promise<void> {
  const review = await withCorrections(io, (store) => store.review(id));
  if (review === undefined) throw new CommandError(`There is no report ${id}. See marque corrections list.`);
  return json === true ? writeJson(io.stdout, review) : write(io.stdout, reviewText(review));
}
