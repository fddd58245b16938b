import { userInfo } from 'node:os';

import type { Actor } from '../audit/index.ts';

/** The actor of a command, for the audit log: the operating system's user. */
export function operator(): Actor {
  return `cli:${userName()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid-${process.geteuid?.() ?? 'unknown'}`;
  }
}
