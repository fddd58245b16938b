import { setImmediate as breathe } from 'node:timers/promises';

import type { Decoder, VehicleReport } from '@marque/decoder';

import type { Database } from '../../platform/db/index.ts';
import { applyFields, flatten, mergeFields, textAt } from './apply.ts';
import { labelledVins } from './labelled.ts';
import type { LiveOverrides } from './live-overrides.ts';
import { recentDecodes } from './recent.ts';
import { CANDIDATE } from './override-index.ts';
import { fits, positionsOf } from './scope.ts';
import type { Candidate, FieldChange, Impact, ImpactCount, Scope, VinChange } from './types.ts';

/** What a preview needs. */
export interface ImpactDeps {
  database: Database;
  /** Without overrides. */
  decoder: Decoder;
  live: Pick<LiveOverrides, 'current'>;
  /** Folder of labelled VINs; undefined: there are none. */
  labelledFolder: string | undefined;
}

/** Changes that are listed: as many as a person reads. */
const LISTED = 200;

/** Decodes between two pauses in which requests are answered. */
const STRIDE = 100;

/** What a candidate would change, for labelled VINs, recent decodes and one VIN more. */
export async function impactOf(deps: ImpactDeps, candidate: Candidate, reported: string | null): Promise<Impact> {
  const survey = new Survey(deps, candidate);
  if (reported !== null) survey.look(reported, 'reported');
  const labelled = await survey.count('labelled', labelledVins(deps.labelledFolder));
  const stored = await survey.count('stored', await recentDecodes(deps.database));
  return { vins: survey.changes, labelled, stored };
}

/** Decodes VINs with and without a candidate. */
class Survey {
  readonly changes: VinChange[] = [];
  readonly #deps: ImpactDeps;
  readonly #candidate: Candidate;
  readonly #mayCover: (vin: string) => boolean;

  constructor(deps: ImpactDeps, candidate: Candidate) {
    this.#deps = deps;
    this.#candidate = candidate;
    this.#mayCover = matcher(candidate.scope);
  }

  async count(
    from: VinChange['from'],
    vins: AsyncIterable<{ vin: string; expected?: ReadonlyMap<string, string> }> | Iterable<{ vin: string }>,
  ): Promise<ImpactCount> {
    const count: ImpactCount = { looked: 0, covered: 0, changed: 0 };
    for await (const entry of vins) {
      count.looked++;
      const found = this.look(entry.vin, from, 'expected' in entry ? entry.expected : undefined);
      if (found === 'not-covered') continue;
      count.covered++;
      if (found === 'changed') count.changed++;
      if (count.covered % STRIDE === 0) await breathe();
    }
    return count;
  }

  look(
    vin: string,
    from: VinChange['from'],
    expected?: ReadonlyMap<string, string>,
  ): 'not-covered' | 'unchanged' | 'changed' {
    if (!this.#mayCover(vin)) return 'not-covered';
    const report = this.#deps.decoder.decode(vin);
    const index = this.#deps.live.current();
    const now = index.covering(vin, report.modelYear);
    const then = index.covering(vin, report.modelYear, this.#candidate);
    if (!then.some(({ id }) => id === CANDIDATE)) return 'not-covered';
    const before = applyFields(report, mergeFields(now.map(({ fields }) => fields)));
    const after = applyFields(report, mergeFields(then.map(({ fields }) => fields)));
    const changes = changesBetween(before, after, expected);
    if (changes.length === 0) return 'unchanged';
    if (this.changes.length < LISTED) this.changes.push({ vin, from, changes });
    return 'changed';
  }
}

/** The fields in which two reports differ. */
export function changesBetween(
  before: VehicleReport,
  after: VehicleReport,
  expected: ReadonlyMap<string, string> | undefined,
): FieldChange[] {
  const paths = new Set([...flatten(before), ...flatten(after)].map(([path]) => path));
  return [...paths].flatMap((field) => {
    const change = { field, before: textAt(before, field), after: textAt(after, field) };
    if (change.before === change.after) return [];
    const labelled = expected?.get(field);
    return [labelled === undefined ? change : { ...change, labelled }];
  });
}

/** Whether a scope covers a VIN in some year: cheap, so that only those VINs are decoded. */
function matcher(scope: Scope): (vin: string) => boolean {
  if (scope.kind === 'vin') return (vin) => vin === scope.vin;
  const sets = positionsOf(scope);
  return (vin) => fits(sets, vin);
}
