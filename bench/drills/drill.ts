import { rmSync } from 'node:fs';

import { newFolder } from './folders.ts';
import { charged } from '../faults/fleet.ts';
import type { Seen } from '../faults/load.ts';

/** The results of a drill: rows of one table, in the order of its columns. */
export interface Findings {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** The programs of others that took part, with their versions. */
  versions: readonly string[];
}

/** The inputs of a drill. */
export interface Stage {
  /** An empty folder, which is removed at the end. */
  folder: string;
  /** Has something done at the end, the last one first, however the drill ends. */
  afterwards: (work: () => unknown) => void;
  /** Prints a line of progress. */
  say: (line: string) => void;
}

/** Runs one drill. @throws Error when its promise is broken. */
export type Drill = (stage: Stage) => Promise<Findings>;

/** Runs a drill in a folder, and cleans up after it. */
export async function run(drill: Drill, say: (line: string) => void): Promise<Findings> {
  const folder = newFolder();
  const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    return await drill({ folder, say, afterwards: (work) => void endings.unshift(work) });
  } finally {
    for (const ending of endings) await ending();
  }
}

/** The columns of the outcome of a load of decodes. */
export const LOAD_COLUMNS = ['delivered', 'refused with 503', 'other answers', 'charged', 'lost', 'longest pause'];

/**
 * Compares the answers that clients received with the charges, for the columns above.
 * @param env the location of the database, for `marque db verify`.
 * @param before decodes that were charged before the load.
 */
export async function accountFor(seen: Seen, env: NodeJS.ProcessEnv, before = 0): Promise<string[]> {
  return account(seen, (await charged(env)) - before);
}

/**
 * Does the same with a count that `marque db verify` has given.
 * @throws Error when an answer was not charged, or a decode was charged that was not sent.
 */
export function account(seen: Seen, counted: number): string[] {
  const delivered = seen.statuses['200'] ?? 0;
  const refused = seen.statuses['503'] ?? 0;
  const others = Object.entries(seen.statuses).filter(([status]) => status !== '200' && status !== '503');
  const text = `${JSON.stringify(seen)}, charged ${counted}`;
  if (delivered > counted) throw new Error(`Answers were not charged: ${text}`);
  if (counted > seen.sent) throw new Error(`More was charged than sent: ${text}`);
  return [
    String(delivered),
    String(refused),
    others.map(([status, count]) => `${count} ${status}`).join(', ') || 'none',
    String(counted),
    'nothing',
    `${(seen.gapMs / 1_000).toFixed(1)} s`,
  ];
}
