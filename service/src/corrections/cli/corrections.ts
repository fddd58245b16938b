import { InvalidArgumentError, Option } from 'commander';

import type { Command } from '../../kernel/cli/command.ts';
import {
  concernOf,
  type Corrections,
  type ProposedOverride,
  type DecideOutcome,
  type Decision,
  type FieldValue,
  isListField,
  isNumberField,
  type ReportState,
  type ReportSummary,
  type Review,
  type Scope,
  scopeText,
} from '../index.ts';
import { REPORT_STATES } from '../tables.ts';
import {
  CommandError,
  type Io,
  type JsonOption,
  write,
  writeJson,
  writeList,
  writeOutcome,
} from '../../kernel/cli/io.ts';
import { impactText, refuse, reviewOf, reviewText, withCorrections } from './open.ts';
import { exportFacts } from './export.ts';
import { operator } from '../../kernel/cli/settings.ts';
import { isoDay } from '../../kernel/clock.ts';

interface ListOptions extends JsonOption {
  state?: ReportState;
  vin?: string;
}

/** Adds `corrections list|show|preview|accept|reject|supersede|revert|export`. */
export function define(corrections: Command, io: Io): void {
  corrections
    .reads('DATA_DIR', 'DATABASE_URL')
    .about('Reporters in the portal get decisions by mail if the service had SMTP_URL at its last start.');

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
    Since: ({ createdAtMs }: ReportSummary) => isoDay(createdAtMs),
  };
  return writeList(io, options, reports, columns, 'There are no such reports.');
}

async function show(io: Io, id: string, { json }: JsonOption): Promise<void> {
  const review = await withCorrections(io, (store) => reviewOf(store, id));
  return json === true ? writeJson(io.stdout, review) : write(io.stdout, reviewText(review));
}

type AcceptOptions = ProposalOptions & JsonOption & { reason?: string; anyway?: boolean };

/** Adds `corrections preview|accept|reject|supersede|revert`. */
function addDecisions(corrections: Command, io: Io): void {
  addProposalOptions(corrections.command('preview'))
    .description('show what a correction would change for labeled VINs and recent decodes, without changing anything')
    .argument('<id>', 'ID of the report, from marque corrections list')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: AcceptOptions) => preview(io, id, options));

  addProposalOptions(corrections.command('accept'))
    .description('accept a report and correct the decode; every instance applies the correction within two seconds')
    .argument('<id>', 'ID of the report, from marque corrections list')
    .option('--reason <text>', 'the reason, for the reporter and the audit log')
    .option('--anyway', 'accept it even if it contradicts labeled VINs, or is for every VIN of a WMI')
    .option('--json', 'print the correction as JSON')
    .action(async (id: string, options: AcceptOptions) => accept(io, id, options));

  decisionCommand(corrections, 'reject', 'close a report without a change').action(
    async (id: string, options: Decided) => decide(io, id, options, (store, by) => store.reject(id, by)),
  );

  decisionCommand(corrections, 'revert', 'revert the correction of an accepted report').action(
    async (id: string, options: Decided) => decide(io, id, options, (store, by) => store.revert(id, by)),
  );

  decisionCommand(corrections, 'supersede', 'close a report that another one settles')
    .requiredOption('--by <id>', 'the report that settles it')
    .action(async (id: string, options: Decided & { by: string }) =>
      decide(io, id, options, (store, by) => store.supersede(id, options.by, by)),
    );
}

interface Decided extends JsonOption {
  reason: string;
}

function decisionCommand(corrections: Command, name: string, description: string): Command {
  return corrections
    .command(name)
    .description(description)
    .argument('<id>', 'ID of the report, from marque corrections list')
    .requiredOption('--reason <text>', 'the reason, for the reporter and the audit log')
    .option('--json', 'print the outcome as JSON');
}

async function preview(io: Io, id: string, options: AcceptOptions): Promise<void> {
  await withCorrections(io, async (store) => {
    const proposal = proposalFrom(options, await reviewOf(store, id));
    const outcome = await store.preview(proposal, id);
    if (outcome.kind === 'invalid') return refuse(id, outcome);
    if (options.json === true) return writeJson(io.stdout, { ...proposal, impact: outcome.impact });
    return write(io.stdout, impactText(proposal, outcome.impact));
  });
}

async function accept(io: Io, id: string, options: AcceptOptions): Promise<void> {
  await withCorrections(io, async (store) => {
    const proposal = proposalFrom(options, await reviewOf(store, id));
    if (options.anyway !== true) await refuseHarm(store, id, proposal);
    const outcome = await store.accept(id, proposal, { by: operator(), reason: options.reason ?? '' });
    if (outcome.kind !== 'accepted') return refuse(id, outcome);
    const { override } = outcome;
    const text = `Report ${id} is accepted: override ${override.id} for ${scopeText(override.scope)}.`;
    return writeOutcome(io, options, override, text);
  });
}

/** Refuses a correction that makes labeled VINs wrong, or is for a whole WMI. Other faults are left to what accepts it. */
async function refuseHarm(store: Corrections, id: string, proposal: ProposedOverride): Promise<void> {
  const previewed = await store.preview(proposal, id);
  const concern = previewed.kind === 'impact' ? concernOf(proposal, previewed.impact) : undefined;
  if (concern === undefined) return;
  throw new CommandError(`${concern} See it with marque corrections preview, or accept it with --anyway.`);
}

async function decide(
  io: Io,
  id: string,
  { reason, ...options }: Decided,
  act: (store: Corrections, decision: Decision) => Promise<DecideOutcome>,
): Promise<void> {
  await withCorrections(io, async (store) => {
    const outcome = await act(store, { by: operator(), reason });
    if (outcome.kind !== 'decided') return refuse(id, outcome);
    const state = (await reviewOf(store, id)).report.state;
    return writeOutcome(io, options, { id, state }, `Report ${id} is ${state}.`);
  });
}

/** Options of `preview` and `accept`. */
interface ProposalOptions {
  set?: Record<string, FieldValue | null>;
  pattern?: string;
  wmi?: string;
  years?: readonly [number | null, number | null];
  alike?: boolean;
}

/** Adds the options that describe an override. */
function addProposalOptions(command: Command): Command {
  return command
    .option('--set <field=value>', 'set a field, such as model=Golf or specs.powerKw=77; repeat for more', addField)
    .option('--leave-out <field>', 'remove a field from the answer; repeat for more', (field, before: unknown) => ({
      ...fieldsSoFar(before),
      [field]: null,
    }))
    .option('--alike', 'correct every VIN with the same WMI, positions 4-8, and model year, not only this VIN')
    .option(
      '--pattern <pattern>',
      'correct every VIN of the WMI that matches this pattern from position 4: . for any character, [A-C] for a set',
    )
    .option('--wmi <wmi>', "the WMI of the pattern (default: the VIN's)")
    .option('--years <from-to>', 'the model years of the pattern: 2003-2008, 2003-, -2008, or 2003', readYears);
}

/**
 * Returns the override that the options describe: without any, the one that makes the claim true for this VIN alone.
 */
function proposalFrom(
  options: ProposalOptions & { leaveOut?: Record<string, null> },
  { suggestion, suggestedPattern, report }: Review,
): ProposedOverride {
  if (suggestion === null || suggestedPattern === null) {
    throw new CommandError(`Report ${report.id} is about text that is not a VIN, so it can only be rejected.`);
  }
  const given = { ...options.set, ...options.leaveOut };
  const fields = Object.keys(given).length === 0 ? suggestion.fields : given;
  return { scope: scopeFrom(options, suggestion.scope, suggestedPattern), fields };
}

function scopeFrom(options: ProposalOptions, own: Scope, alike: Scope): Scope {
  if (options.pattern === undefined) {
    if (options.wmi !== undefined || options.years !== undefined) {
      throw new CommandError('--wmi and --years go with --pattern.');
    }
    return options.alike === true ? alike : own;
  }
  if (options.alike === true) throw new CommandError('Give --alike or --pattern, not both.');
  const wmi = options.wmi ?? (alike.kind === 'pattern' ? alike.wmi : '');
  return { kind: 'pattern', wmi, pattern: options.pattern, years: options.years ?? [null, null] };
}

function addField(text: string, before: unknown): Record<string, FieldValue | null> {
  const [, field = '', value = ''] = /^([A-Za-z.]+)=(.*)$/s.exec(text) ?? [];
  if (field === '') throw new InvalidArgumentError('Write it as field=value.');
  return { ...fieldsSoFar(before), [field]: valueOf(field, value) };
}

function valueOf(field: string, text: string): FieldValue {
  if (isListField(field)) return text.split(',').map((part) => part.trim());
  // Anything but a number stays text: the schema reports which field needs a number.
  return isNumberField(field) && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function fieldsSoFar(before: unknown): object {
  return typeof before === 'object' && before !== null ? before : {};
}

function readYears(text: string): readonly [number | null, number | null] {
  const [, from = '', dash, to = ''] = /^(\d{4})?(-)?(\d{4})?$/.exec(text) ?? [];
  if (from === '' && to === '') throw new InvalidArgumentError('Write years as 2003-2008, 2003-, -2008, or 2003.');
  const first = from === '' ? null : Number(from);
  const last = to === '' ? null : Number(to);
  return [first, dash === undefined ? first : last];
}
