import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { readVin, type VehicleReport } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';
import { applyFields, flatten, mergeFields, textAt } from './apply.ts';
import type { LabeledVin } from './labeled.ts';
import type { CorrectionParts } from './parts.ts';
import { TRIAL, trialOf } from './override-index.ts';
import { isWholeWmi } from './scope.ts';
import type { ProposedOverride, CorrectedReport, FieldChange, Impact, ImpactCount, VinChange } from './types.ts';
import { valueAt } from '../kernel/records.ts';

/** Labeled VINs: read one by one, or all in memory. */
export type Labeled = AsyncIterable<LabeledVin> | Iterable<LabeledVin>;

/** The right answers for a VIN, by field. */
type Expected = ReadonlyMap<string, string>;

/** Listed changes: as many as a person reads. */
const LISTED = 200;

/** Decodes between two pauses in which requests are answered. */
const STRIDE = 100;

/** Computes the effect of a proposal on labeled VINs, recent decodes and one more VIN. */
export async function impactOf(
  deps: Pick<CorrectionParts, 'database' | 'catalog' | 'live'> & { labelled: Labeled },
  proposal: ProposedOverride,
  reported: string | undefined,
): Promise<Impact> {
  const reportsOf = reportsUnder(deps, proposal);
  const changesOf = (vin: string, expected?: Expected): FieldChange[] | undefined => {
    const reports = reportsOf(vin);
    return reports && changesBetween(reports.before, reports.after, expected);
  };
  return survey(deps, changesOf, reported);
}

/** Returns the reports of a VIN without a proposal and with it; undefined: the proposal does not cover the VIN. */
export function reportsUnder(
  { catalog, live }: Pick<CorrectionParts, 'catalog' | 'live'>,
  proposal: ProposedOverride,
): (vin: string) => { before: VehicleReport; after: VehicleReport } | undefined {
  const trial = trialOf(proposal);
  return (vin) => {
    // Cheap, so that few other VINs are decoded.
    if (!trial.mayCover(vin)) return undefined;
    const report = catalog.decoder.decode(vin);
    const index = live.current();
    const then = index.covering(vin, report.modelYear, trial);
    if (!then.some(({ id }) => id === TRIAL)) return undefined;
    const corrected = (covering: typeof then) => applyFields(report, mergeFields(covering.map(({ fields }) => fields)));
    return { before: corrected(index.covering(vin, report.modelYear)), after: corrected(then) };
  };
}

/**
 * Computes the effect of a change of the service on labeled VINs and recent decodes.
 *
 * @param changesOf returns the fields of a VIN that would change; undefined: it is not covered.
 * @param reported one more VIN, listed first.
 */
export async function survey(
  { database, labelled: labeledVins }: { database: Database; labelled: Labeled },
  changesOf: (vin: string, expected?: Expected) => FieldChange[] | undefined,
  reported?: string,
): Promise<Impact> {
  const vins: VinChange[] = [];
  let harmed = 0;
  const look = (vin: string, from: VinChange['from'], expected?: Expected): FieldChange[] | undefined => {
    const changes = changesOf(vin, expected);
    if (changes?.some(isHarm) === true) harmed++;
    if (changes !== undefined && changes.length > 0 && vins.length < LISTED) vins.push({ vin, from, changes });
    return changes;
  };
  const count = async (
    from: VinChange['from'],
    entries: AsyncIterable<{ vin: string; expected?: Expected }> | Iterable<{ vin: string; expected?: Expected }>,
  ): Promise<ImpactCount> => {
    const counted: ImpactCount = { looked: 0, covered: 0, changed: 0 };
    for await (const { vin, expected } of entries) {
      counted.looked++;
      const changes = look(vin, from, expected);
      if (changes === undefined) continue;
      counted.covered++;
      if (changes.length > 0) counted.changed++;
      if (counted.covered % STRIDE === 0) await yieldToEventLoop();
    }
    return counted;
  };
  if (reported !== undefined) look(reported, 'reported');
  const labelled = await count('labelled', labeledVins);
  const stored = await count('stored', await recentDecodes(database));
  return { vins, labelled, stored, harmed };
}

/** Returns true if a labeled field would move away from its label. */
function isHarm({ before, after, labelled }: FieldChange): boolean {
  return labelled !== undefined && before === labelled && after !== labelled;
}

/** Returns what to confirm before a correction is accepted; undefined: nothing. */
export function concernOf({ scope }: ProposedOverride, { harmed }: Pick<Impact, 'harmed'>): string | undefined {
  const texts = [
    ...(isWholeWmi(scope) ? [`It corrects every VIN of the WMI ${scope.wmi}, of whatever model and year.`] : []),
    ...(harmed === 0 ? [] : [contradictionText(harmed)]),
  ];
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** Returns the warning about labeled VINs whose correct answer a change would make incorrect. */
export function contradictionText(harmed: number): string {
  return harmed === 1
    ? 'One labeled VIN is decoded correctly now and would be decoded incorrectly.'
    : `${harmed} labeled VINs are decoded correctly now and would be decoded incorrectly.`;
}

/** Returns the fields in which two reports differ. */
export function changesBetween(
  before: VehicleReport,
  after: VehicleReport,
  expected: Expected | undefined,
): FieldChange[] {
  const paths = new Set([...flatten(before), ...flatten(after)].map(([path]) => path));
  return [...paths].flatMap((field) => {
    const change = { field, before: textAt(before, field), after: textAt(after, field) };
    if (change.before === change.after) return [];
    const labelled = expected?.get(field);
    return [labelled === undefined ? change : { ...change, labelled }];
  });
}

/** Stored decodes that are read: this bounds the cost, however many there are. */
const LOOKED_AT = 2_000;

/** A stored decode. */
export interface RecentDecode {
  id: string;
  vin: string;
  createdAtMs: number;
}

/** Returns the latest decode of each of the VINs that were decoded lately, newest first. */
export async function recentDecodes(database: Database): Promise<RecentDecode[]> {
  const rows = await database.kysely
    .selectFrom('decodes')
    .select(['id', 'vin', 'created_at'])
    // Erased VINs have no serial number, and partial VINs have gaps: they cannot be matched against a pattern.
    .where('vin', 'not like', '%*%')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const seen = new Set<string>();
  const recent: RecentDecode[] = [];
  for (const { id, vin, created_at } of rows) {
    if (seen.has(vin) || readVin(vin).kind === 'malformed') continue;
    seen.add(vin);
    recent.push({ id, vin, createdAtMs: created_at });
  }
  return recent;
}

/** Returns the corrections of fields that one of the reports has, cut to what their reader may see. Pure. */
export function correctionsIn(
  changes: CorrectedReport['changes'],
  reports: readonly Record<string, unknown>[],
): CorrectedReport['changes'] {
  return changes.filter(({ field }) => reports.some((report) => valueAt(report, field) !== undefined));
}

/**
 * Returns a stored report with the corrections made since, and the values before them. The stored report is not
 * changed.
 */
export async function correctedSince(
  { database, catalog, live }: CorrectionParts,
  stored: VehicleReport,
): Promise<CorrectedReport> {
  const { vin } = stored;
  // A masked VIN is covered by none.
  const isWhole = readVin(vin).kind === 'vin';
  const covering = isWhole ? live.current().covering(vin, catalog.decoder.decode(vin).modelYear) : [];
  const report = applyFields(stored, mergeFields(covering.map(({ fields }) => fields)));
  const changes = covering.length === 0 ? [] : changesBetween(stored, report, undefined);
  if (changes.length === 0) return { report: stored, changes: [] };
  const ids = covering.map(({ id }) => id);
  const rows = await database.kysely
    .selectFrom('overrides')
    .select(['id', 'created_at'])
    .where('id', 'in', ids)
    .execute();
  const madeAt = new Map(rows.map(({ id, created_at: atMs }) => [id, atMs]));
  return {
    report,
    changes: changes.map(({ field, before: was }) => {
      // A field that follows from another, such as the possible body styles, has its strongest override.
      const by = covering.find(({ fields }) => Object.hasOwn(fields, field)) ?? covering[0];
      return { field, was, atMs: madeAt.get(by?.id ?? '') ?? 0 };
    }),
  };
}
