import { operator } from '../../kernel/cli/actor.ts';
import type { Command } from '../../kernel/cli/command.ts';

import { type Corrections, type DecideOutcome, type Decision, scopeText } from '../index.ts';
import { type Io, type JsonOption, write, writeJson, writeOutcome } from '../../kernel/cli/io.ts';
import { addCandidateOptions, candidateFrom, type CandidateOptions } from './candidate.ts';
import { refuse, reviewOf, withCorrections } from './open.ts';
import { impactText } from './show.ts';

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
