import type { Slice } from '../kernel/slice.ts';
import type { AccountParts } from './pages/context.ts';

/** Accounts, sessions and administrators. */
export const people: Slice<AccountParts> = {
  name: 'people',
  tables: async () => (await import('./tables.ts')).ACCOUNT_TABLES,
  pages: async (scope, deps) => {
    const { addSignIn } = await import('./pages/sign-in.tsx');
    const { addReset } = await import('./pages/reset.tsx');
    const { addAccount } = await import('./pages/account.tsx');
    const { addSecondFactor } = await import('./pages/second-factor.tsx');
    for (const add of [addSignIn, addReset, addAccount, addSecondFactor]) add(scope, deps);
  },
  commands: {
    admin: { summary: 'manage the administrators of the service', load: () => import('./cli.ts') },
  },
  retention: async (database, { nowMs }) => (await import('./erase.ts')).removeOldAccountData(database, nowMs),
};
