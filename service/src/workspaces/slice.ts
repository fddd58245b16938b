import type { ActDeps } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';
import type { AccountParts } from '../people/pages/index.ts';

/** Workspaces, their keys and their members. */
export const workspaces: Slice<AccountParts, ActDeps & { config: Config }> = {
  name: 'workspaces',
  tables: async () => (await import('./tables.ts')).WORKSPACE_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  schedules: async (deps) =>
    deps.config.smtpUrl === undefined ? [] : [(await import('./expiring.ts')).expiryNotices(deps)],
  retention: async (database) => (await import('./membership.ts')).removeLeftWebhooks(database),
  pages: async (scope, deps) => {
    const { addSignUp } = await import('./pages/sign-up.tsx');
    const { addInvitation } = await import('./pages/invitation.tsx');
    const { addWorkspaces } = await import('./pages/workspaces.tsx');
    const { addKeys } = await import('./pages/keys.tsx');
    const { addMembers } = await import('./pages/members.tsx');
    for (const add of [addSignUp, addInvitation, addWorkspaces, addKeys, addMembers]) add(scope, deps);
  },
  tabs: {
    portal: [
      { path: '/keys', label: 'Keys', place: 30 },
      { path: '/members', label: 'Members', place: 40 },
    ],
  },
  commands: {
    workspace: {
      summary: 'manage workspaces, to which keys, plans, and limits belong',
      load: () => import('./cli/workspace.ts'),
    },
    key: { summary: 'manage API keys', load: () => import('./cli/key.ts') },
  },
};
