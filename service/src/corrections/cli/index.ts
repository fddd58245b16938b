import { Option } from 'commander';

import type { Command } from '../../kernel/cli/command.ts';
import type { ReportState, ReportSummary } from '../index.ts';
import { REPORT_STATES } from '../tables.ts';
import { type Io, type JsonOption, write, writeJson, writeList } from '../../kernel/cli/io.ts';
import { addDecisions } from './decide.ts';
import { exportFacts } from './export.ts';
import { reviewOf, withCorrections } from './open.ts';
import { reviewText } from './show.ts';

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
  const reports = await withCorrections(io, (store) =>
    store.list({ limit: 200, ...(state === undefined ? {} : { state }), ...(vin === undefined ? {} : { vin }) }),
  );
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
