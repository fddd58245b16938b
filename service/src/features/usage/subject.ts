import type { Caller } from '../access/caller.ts';

const WORKSPACE = 'workspace:';

/** Whom usage is counted for: a workspace, all its keys together, or a public client. */
export function subjectOf(caller: Caller): string {
  return caller.kind === 'subscriber' ? workspaceSubject(caller.workspaceId) : `public:${caller.clientId}`;
}

/** The subject of a workspace. */
export function workspaceSubject(workspaceId: string): string {
  return WORKSPACE + workspaceId;
}

/** The workspace of a subject; undefined: it is a public client. */
export function workspaceIdOf(subject: string): string | undefined {
  return subject.startsWith(WORKSPACE) ? subject.slice(WORKSPACE.length) : undefined;
}

/** The key that a caller used, as the ledger keeps it: empty for public access. */
export function keyOf(caller: Caller): string {
  return caller.kind === 'subscriber' ? caller.keyId : '';
}
