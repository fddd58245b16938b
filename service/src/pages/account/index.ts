import type { FastifyInstance } from 'fastify';

import { addAccount } from './account.tsx';
import type { AccountPagesDeps } from './context.ts';
import { addInvitation } from './invitation.tsx';
import { addReset } from './reset.tsx';
import { addSecondFactor } from './second-factor.tsx';
import { addSignIn } from './sign-in.tsx';
import { addSignUp } from './sign-up.tsx';

export type { AccountPagesDeps } from './context.ts';

/** Adds every page about accounts. */
export function addAccountPages(scope: FastifyInstance, deps: AccountPagesDeps): void {
  for (const add of [addSignUp, addSignIn, addReset, addAccount, addSecondFactor, addInvitation]) add(scope, deps);
}
