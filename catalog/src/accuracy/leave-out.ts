import { matchesPattern, parsePattern } from '@marque/decoder';

import type { TableRow } from '../world/columns.ts';
import type { WorldFacts } from '../world/load.ts';
import type { WorldProfile } from '../world/model.ts';
import { foldOf, FOLDS } from './groups.ts';
import type { LabelledVin } from './labelled.ts';
import { type AnyDecoder, decodeOne } from './sets.ts';
import type { Scored } from './tally.ts';

/** The sources that are labelled VINs, and those that alone bear nothing out. */
const LABELS_ONLY: ReadonlySet<string> = new Set(['LABELS', 'EUC', 'EUC2', 'ZRULES', 'BASE', 'G']);
const LABELS: ReadonlySet<string> = new Set(['LABELS', 'EUC', 'EUC2']);

/**
 * Whether nothing but labelled VINs lets the row answer: `agreed` names them, or it has no other source. A row that something
 * else bears out answers without them, whoever wrote it first.
 */
export function restsOnLabels(row: TableRow): boolean {
  if (row.agreed !== undefined) return /labelled VINs?\b/.test(row.agreed);
  const keys = row.source.split('+');
  return keys.some((key) => LABELS.has(key)) && keys.every((key) => LABELS_ONLY.has(key));
}

/**
 * Decodes every VIN with a catalog that knows no VIN of its group: the rows that rest on labelled VINs and meet none outside
 * the group's fold are left out. What remains is what the facts answer for VINs that nobody has looked at.
 *
 * @param sets labelled VINs, set by set; all of them bear rows out
 * @param open makes a decoder of these layouts
 * @returns the decoded VINs of each set, in its order
 */
export function decodeUnseen(
  sets: readonly (readonly LabelledVin[])[],
  facts: WorldFacts,
  open: (world: readonly WorldProfile[]) => AnyDecoder,
): Scored[][] {
  const folds = foldsOfRows(facts, [...new Set(sets.flat().map(({ vin }) => vin))]);
  const decoders = Array.from({ length: FOLDS }, (_, fold) => {
    const dropped = new Set([...folds].filter(([, met]) => met.size === 1 && met.has(fold)).map(([origin]) => origin));
    return open(without(facts.profiles, dropped));
  });
  return sets.map((labelled) =>
    labelled.flatMap((one) => {
      const decoder = decoders[foldOf(one.vin)];
      return decoder === undefined ? [] : [decodeOne(decoder, one)];
    }),
  );
}

function without(profiles: readonly WorldProfile[], dropped: ReadonlySet<string>): WorldProfile[] {
  return profiles.map((profile) => ({ ...profile, rows: profile.rows.filter(({ origin }) => !dropped.has(origin)) }));
}

/** The folds of the labelled VINs that each row resting on them meets, by the row's place. */
function foldsOfRows({ profiles, tables }: WorldFacts, vins: readonly string[]): Map<string, Set<number>> {
  const resting = new Set(
    [...tables.values()]
      .flat()
      .filter(({ row }) => restsOnLabels(row))
      .map(({ origin }) => origin),
  );
  const byWmi = Map.groupBy(vins, (vin) => vin.slice(0, 3));
  const folds = new Map<string, Set<number>>();
  for (const profile of profiles) {
    const own = [...new Set(profile.wmis.map((wmi) => wmi.slice(0, 3)))].flatMap((wmi) => byWmi.get(wmi) ?? []);
    for (const row of profile.rows) {
      if (!resting.has(row.origin)) continue;
      const pattern = parsePattern(row.pattern);
      const met = folds.get(row.origin) ?? new Set();
      for (const vin of own) if (matchesPattern(pattern, vin)) met.add(foldOf(vin));
      folds.set(row.origin, met);
    }
  }
  return folds;
}
