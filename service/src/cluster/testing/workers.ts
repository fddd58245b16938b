import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the process ids of the workers, as Linux lists them. */
export function workersOf({ pid }: ChildProcess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
