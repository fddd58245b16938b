import { InvalidArgumentError } from 'commander';

import type { Command } from '../../kernel/cli/command.ts';
import { type Candidate, type FieldValue, isListField, isNumberField, type Review, type Scope } from '../index.ts';
import { CommandError } from '../../kernel/cli/io.ts';

/** What the options of `preview` and `accept` say. */
export interface CandidateOptions {
  set?: Record<string, FieldValue | null>;
  pattern?: string;
  wmi?: string;
  years?: readonly [number | null, number | null];
  alike?: boolean;
}

/** Adds the options that describe an override. */
export function addCandidateOptions(command: Command): Command {
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
export function candidateFrom(
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
  // What is not a number stays text: the schema says which field needs one.
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
