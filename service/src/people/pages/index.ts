import type { FastifyInstance } from 'fastify';

import type { PageDeps } from '../../page-deps.ts';
import { addAccount } from './account.tsx';
import { addInvitation } from '../../workspaces/pages/invitation.tsx';
import { addReset } from './reset.tsx';
import { addSecondFactor } from './second-factor.tsx';
import { addSignIn } from './sign-in.tsx';
import { addSignUp } from '../../workspaces/pages/sign-up.tsx';

/** Adds every page about accounts. */
export function addAccountPages(scope: FastifyInstance, deps: PageDeps): void {
  for (const add of [addSignUp, addSignIn, addReset, addAccount, addSecondFactor, addInvitation]) add(scope, deps);
}
