import { userInfo } from 'node:os';

import type { Actor } from '../audit/index.ts';

/** Who works on the command line, for the audit log: the user that the operating system knows. */
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
