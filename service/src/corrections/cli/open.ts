import type { Decoder } from '@marque/decoder';

import { labeledFolder, openConfiguredCatalog, LiveCatalog } from '../../catalog/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { readSetting, SERVICE_SENDS_MAIL } from '../../kernel/db/settings.ts';
import {
  type ProposedOverride,
  concernOf,
  correctedDecoder,
  type Corrections,
  type Impact,
  LiveOverrides,
  openCorrections,
  type ReportSummary,
  type Review,
  scopeText,
} from '../index.ts';
import { CommandError, type Io } from '../../kernel/cli/io.ts';
import { visible } from '../../kernel/cli/terminal-text.ts';
import { withDatabase } from '../../kernel/cli/settings.ts';

/** Opens corrections on a database that a running service may share, and closes them again. */
export async function withCorrections<T>(
  io: Pick<Io, 'env' | 'openDatabase'>,
  use: (corrections: Corrections, answering: Decoder) => Promise<T>,
): Promise<T> {
  return withDatabase(io, async (database, config) => {
    const live = await LiveOverrides.open(database);
    const catalog = await LiveCatalog.open(openConfiguredCatalog(config), database);
    const corrections = openCorrections({
      database,
      clock: systemClock,
      catalog,
      live,
      labeledFolder: labeledFolder(),
      sendsMail: config.smtpUrl !== undefined || (await readSetting(database.kysely, SERVICE_SENDS_MAIL)) === 'yes',
      nameOf: (path) => path,
    });
    try {
      return await use(corrections, correctedDecoder(catalog, live.current));
    } finally {
      await catalog.close();
      await live.close();
    }
  });
}

/**
 * Returns a report with the context needed to decide on it.
 *
 * @throws CommandError when there is no such report.
 */
export async function reviewOf(corrections: Corrections, id: string): Promise<Review> {
  return (await corrections.review(id)) ?? refuse(id, { kind: 'unknown' });
}

/** Throws a failed outcome as a sentence for people. */
export function refuse(
  id: string,
  outcome: { kind: 'invalid'; faults: string[] } | { kind: 'not-possible'; state: string } | { kind: 'unknown' },
): never {
  switch (outcome.kind) {
    case 'invalid':
      throw new CommandError(outcome.faults.join('\n'));
    case 'not-possible':
      throw new CommandError(`Report ${id} is ${outcome.state}: this is not possible in that state.`);
    case 'unknown':
      throw new CommandError(`There is no report ${id}. See marque corrections list.`);
    default:
      return outcome satisfies never;
  }
}

/** Returns a review for a terminal: both sides, the evidence, similar reports, and the next commands. */
export function reviewText({ report, diff, now, similar, suggestion, history }: Review): string {
  const lines = [
    `Report ${report.id}: ${report.state}, from ${report.source}, ${isoTime(report.createdAtMs)}`,
    `VIN ${report.vin ?? `${report.claim.vin} (not a VIN)`}`,
    `Note: ${report.claim.note}`,
    ...(report.reason === null ? [] : [`Reason: ${report.reason}`]),
    ...(report.duplicates === 0 ? [] : [`${report.duplicates} other reports say the same.`]),
    '',
    ...diff
      .filter(
        ({ claimed, answeredThen, answersNow }) => (claimed ?? answeredThen) !== undefined || answersNow !== undefined,
      )
      .map(diffText),
    '',
    ...(now?.fields ?? []).flatMap(({ field, rows: [first] }) =>
      first === undefined ? [] : [`${field}: ${first.source}, ${first.row}, confidence ${first.confidence}`],
    ),
    ...(similar.length === 0 ? [] : ['', 'Similar reports:', ...similar.map((other) => `  ${summaryText(other)}`)]),
    '',
    ...history.map(({ atMs, actor, action }) => `${isoTime(atMs)} ${action} by ${actor}`),
    ...(suggestion === null || report.state !== 'queued'
      ? []
      : ['', `To correct it, set: ${fieldsText(suggestion.fields)}`, `Next: marque corrections preview ${report.id}`]),
  ];
  return printed(lines);
}

/** Describes the effect of an override, for a terminal. */
export function impactText(proposal: ProposedOverride, impact: Impact): string {
  const { scope, fields } = proposal;
  const { vins, labelled, stored } = impact;
  return printed([
    `${scopeText(scope)}: ${fieldsText(fields)}`,
    `Labeled VINs: ${labelled.covered} of ${labelled.looked} covered, ${labelled.changed} change.`,
    ...[concernOf(proposal, impact) ?? []].flat(),
    `Recent decodes: ${stored.covered} of ${stored.looked} covered, ${stored.changed} change.`,
    ...vins.flatMap(changeLines),
  ]);
}

/** Returns lines for a terminal, safe with any text in them. */
export function printed(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('');
}

/** Describes the changes of a VIN, a line each field. */
export function changeLines({ vin, from, changes }: Impact['vins'][number]): string[] {
  const lines = changes.map(({ field, before, after, labelled }) => {
    const known = labelled === undefined ? '' : ` (labeled: ${labelled})`;
    return `  ${field}: ${before ?? '-'} -> ${after ?? '-'}${known}`;
  });
  return [`${vin} (${from})`, ...lines];
}

function diffText({ field, claimed, answeredThen, answersNow, agrees }: Review['diff'][number]): string {
  const then = answeredThen === answersNow ? '' : `, then ${answeredThen ?? '-'}`;
  const claim = claimed === undefined ? '' : `, claimed ${claimed}`;
  return `${agrees === false ? '!' : ' '} ${field}: ${answersNow ?? '-'}${then}${claim}`;
}

function summaryText({ id, claim, state }: ReportSummary): string {
  const { vin, expectedManufacturer, expectedModel, expectedModelYear } = claim;
  return `${id} ${state} ${vin}: ${expectedManufacturer} ${expectedModel} ${expectedModelYear}`;
}

function fieldsText(fields: ProposedOverride['fields']): string {
  const parts = Object.entries(fields).map(([field, value]) =>
    value === null ? `${field} left out` : `${field}=${String(value)}`,
  );
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
