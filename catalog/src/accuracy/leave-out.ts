import type { TableRow } from '../world/columns.ts';
import type { WorldFacts } from '../world/load.ts';
import type { WorldProfile } from '../world/model.ts';
import { matches, parsePattern } from '../world/pattern.ts';
import type { LabelledVin } from './labelled.ts';
import { type AnyDecoder, decodeOne } from './sets.ts';
import type { Scored } from './tally.ts';

/** The sources that are labelled VINs, and those that alone bear nothing out. */
const LABELS_ONLY: ReadonlySet<string> = new Set(['LABELS', 'EUC', 'EUC2', 'ZRULES', 'BASE', 'G']);
const LABELS: ReadonlySet<string> = new Set(['LABELS', 'EUC', 'EUC2']);
const FOLDS = 10;

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
 * Decodes every VIN with a catalog that does not know it: the rows that rest on labelled VINs and meet none outside its fold
 * of a tenth are left out. What remains is what the facts answer for VINs that nobody has looked at.
 *
 * @param open makes a decoder of these layouts
 */
export function decodeUnseen(
  labelled: readonly LabelledVin[],
  facts: WorldFacts,
  open: (world: readonly WorldProfile[]) => AnyDecoder,
): Scored[] {
  const vins = labelled.map(({ vin }) => vin);
  const meets = vinsOfRows(facts, vins);
  const scored: Scored[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = new Set(vins.filter((_, index) => index % FOLDS === fold));
    const dropped = new Set(
      [...meets].filter(([, met]) => met.length > 0 && met.every((vin) => held.has(vin))).map(([origin]) => origin),
    );
    const decoder = open(without(facts.profiles, dropped));
    scored.push(...labelled.filter(({ vin }) => held.has(vin)).map((one) => decodeOne(decoder, one)));
  }
  return scored;
}

function without(profiles: readonly WorldProfile[], dropped: ReadonlySet<string>): WorldProfile[] {
  return profiles.map((profile) => ({ ...profile, rows: profile.rows.filter(({ origin }) => !dropped.has(origin)) }));
}

/** The labelled VINs that each row resting on them meets, by the row's place. */
function vinsOfRows({ profiles, tables }: WorldFacts, vins: readonly string[]): Map<string, string[]> {
  const resting = new Set(
    [...tables.values()]
      .flat()
      .filter(({ row }) => restsOnLabels(row))
      .map(({ origin }) => origin),
  );
  const meets = new Map<string, string[]>();
  for (const profile of profiles) {
    const own = vins.filter((vin) => profile.wmis.some((wmi) => vin.startsWith(wmi.slice(0, 3))));
    for (const row of profile.rows) {
      if (!resting.has(row.origin)) continue;
      const pattern = parsePattern(row.pattern);
      const met = own.filter((vin) => matches(pattern, vin));
      meets.set(row.origin, [...(meets.get(row.origin) ?? []), ...met]);
    }
  }
  return meets;
}
