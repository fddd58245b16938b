import type { Caller } from './caller.ts';

const WORKSPACE = 'workspace:';
const TEST = 'test:';

/**
 * Returns the account of the caller's usage: a workspace's live keys together, its test keys together, or a public
 * client.
 */
export function subjectOf(caller: Caller): string {
  if (caller.kind === 'public') return `public:${caller.clientId}`;
  return caller.isTest === true ? testSubject(caller.workspaceId) : workspaceSubject(caller.workspaceId);
}

/** Returns the subject of a workspace. */
export function workspaceSubject(workspaceId: string): `workspace:${string}` {
  return `${WORKSPACE}${workspaceId}`;
}

/** Returns the subject of a workspace's test keys. */
export function testSubject(workspaceId: string): string {
  return TEST + workspaceId;
}

/** Returns the workspace of a subject; undefined: it is a public client, or test keys. */
export function workspaceIdOf(subject: string): string | undefined {
  return subject.startsWith(WORKSPACE) ? subject.slice(WORKSPACE.length) : undefined;
}

/** Returns the key that a caller used, as the ledger keeps it: empty for public access. */
export function keyOf(caller: Caller): string {
  return caller.kind === 'subscriber' ? caller.keyId : '';
}
