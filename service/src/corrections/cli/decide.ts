import { InvalidArgumentError } from 'commander';

import { operator } from '../../kernel/cli/settings.ts';
import type { Command } from '../../kernel/cli/command.ts';
import { CommandError, type Io, type JsonOption, write, writeJson, writeOutcome } from '../../kernel/cli/io.ts';
import {
  type Candidate,
  type Corrections,
  type DecideOutcome,
  type Decision,
  type FieldValue,
  isListField,
  isNumberField,
  type Review,
  type Scope,
  scopeText,
} from '../index.ts';
import { impactText, refuse, reviewOf, withCorrections } from './open.ts';

type AcceptOptions = CandidateOptions & JsonOption & { reason?: string };

/** Adds `corrections preview|accept|reject|supersede|revert`. */
export function addDecisions(corrections: Command, io: Io): void {
  addCandidateOptions(corrections.command('preview'))
    .description('show what a correction would change for labeled VINs and recent decodes, without changing anything')
    .argument('<id>', 'ID of the report, from marque corrections list')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: AcceptOptions) => preview(io, id, options));

  addCandidateOptions(corrections.command('accept'))
    .description('accept a report and correct the decode; every instance applies the correction within two seconds')
    .argument('<id>', 'ID of the report, from marque corrections list')
    .option('--reason <text>', 'the reason, for the reporter and the audit log')
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
    const candidate = candidateFrom(options, await reviewOf(store, id));
    const outcome = await store.preview(candidate, id);
    if (outcome.kind === 'invalid') return refuse(id, outcome);
    if (options.json === true) return writeJson(io.stdout, { ...candidate, impact: outcome.impact });
    return write(io.stdout, impactText(candidate, outcome.impact));
  });
}

async function accept(io: Io, id: string, options: AcceptOptions): Promise<void> {
  await withCorrections(io, async (store) => {
    const candidate = candidateFrom(options, await reviewOf(store, id));
    const outcome = await store.accept(id, candidate, { by: operator(), reason: options.reason ?? '' });
    if (outcome.kind !== 'accepted') return refuse(id, outcome);
    const { override } = outcome;
    const text = `Report ${id} is accepted: override ${override.id} for ${scopeText(override.scope)}.`;
    return writeOutcome(io, options, override, text);
  });
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
interface CandidateOptions {
  set?: Record<string, FieldValue | null>;
  pattern?: string;
  wmi?: string;
  years?: readonly [number | null, number | null];
  alike?: boolean;
}

/** Adds the options that describe an override. */
function addCandidateOptions(command: Command): Command {
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

/** The override that the options describe: without any, the one that makes the claim true for this VIN alone. */
function candidateFrom(
  options: CandidateOptions & { leaveOut?: Record<string, null> },
  { suggestion, suggestedPattern, report }: Review,
): Candidate {
  if (suggestion === null || suggestedPattern === null) {
    throw new CommandError(`Report ${report.id} is about text that is not a VIN, so it can only be rejected.`);
  }
  const given = { ...options.set, ...options.leaveOut };
  const fields = Object.keys(given).length === 0 ? suggestion.fields : given;
  return { scope: scopeFrom(options, suggestion.scope, suggestedPattern), fields };
}

function scopeFrom(options: CandidateOptions, own: Scope, alike: Scope): Scope {
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
