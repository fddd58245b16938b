import type { LabeledVin } from '../../labels/labeled.ts';
import type { VerdictFile } from '../../labels/verdict-file.ts';
import type { TableRow } from '../../world/columns.ts';
import { TableTrust, originOf, type Part, type TableRecord } from '../../world/table-trust.ts';
import type { WorldFacts } from '../../world/load.ts';
import { type JudgedOutput, type RowVerdicts, verdictsOf } from './verdicts.ts';

/** A row with its answers, given or held back, about independent groups of labeled cars. */
export interface HeldRow {
  row: string;
  right: number;
  wrong: number;
}

/**
 * Scores every table by labeled cars.
 *
 * @param facts the facts with all of their rows, including those that are held back
 * @param known verdicts on labels, of which the wrong ones do not count
 */
export function judgeTables(
  facts: WorldFacts,
  cars: readonly LabeledVin[],
  known?: VerdictFile,
): { records: TableRecord[]; held: HeldRow[]; contradicted: HeldRow[] } {
  const verdicts = verdictsOf(facts.layouts, cars, known);
  const records: TableRecord[] = [];
  const rows: { table: string; row: HeldRow; read: TableRow }[] = [];
  for (const [table, read] of facts.tables) {
    const own = new Map<string, TableRecord>();
    for (const { origin: place, row } of read) {
      if (row.groups !== undefined) continue;
      const origin = originOf(row);
      const all = { right: 0, wrong: 0 };
      for (const [part, { right, wrong }] of answersOf(verdicts.get(place))) {
        all.right += right;
        all.wrong += wrong;
        const record = own.get(`${origin} ${part}`) ?? { table, origin, part, right: 0, count: 0 };
        own.set(`${origin} ${part}`, record);
        // One of the cars that support a row learned from labeled cars is the one it was learned from.
        const others = origin === 'labelled' ? Math.max(0, right - 1) : right;
        record.right += others;
        record.count += others + wrong;
      }
      rows.push({ table, row: { row: place, ...all }, read: row });
    }
    records.push(...own.values());
  }
  const judged = records.filter(({ count }) => count > 0);
  const trust = new TableTrust(judged);
  const spoken = rows.filter(({ row: { right, wrong } }) => right + wrong > 0);
  return {
    records: judged.toSorted((a, b) => compare(keyOf(a), keyOf(b))),
    held: spoken.filter(({ table, read }) => trust.carried(table, read) !== read).map(({ row }) => row),
    contradicted: spoken
      .filter(({ row: { right, wrong }, read }) => wrong > right && 'CG'.includes(read.confidence))
      .map(({ row }) => row),
  };
}

const PART_OF: Readonly<Record<JudgedOutput, Part>> = {
  make: 'identity',
  model: 'identity',
  body: 'body',
  fuelType: 'fuel',
  displacementCc: 'engine',
  powerKw: 'engine',
  driveType: 'drive',
  transmission: 'drive',
};

/**
 * Counts right and wrong answers about independent groups, by the part of the row. Most cars of a group decide: one
 * seller who writes Golf for an e-Golf does not outweigh ten who do not.
 */
function answersOf(verdicts: RowVerdicts | undefined): Map<Part, { right: number; wrong: number }> {
  const answers = new Map<Part, { right: number; wrong: number }>();
  for (const [output, groups] of verdicts ?? []) {
    const part = PART_OF[output];
    const answer = answers.get(part) ?? { right: 0, wrong: 0 };
    answers.set(part, answer);
    for (const balance of groups.values()) answer[balance > 0 ? 'right' : 'wrong']++;
  }
  return answers;
}

function keyOf({ table, origin, part }: TableRecord): string {
  return `${table} ${origin} ${part}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
