import type { FastifyInstance } from 'fastify';

import type { PageDeps } from '../deps.ts';
import { administratorOf } from '../../features/accounts/guard.ts';
import { addAudit } from './audit.tsx';
import { addQueue } from './queue.tsx';
import { addReview } from './review-route.tsx';
import { addSystem } from './system.tsx';
import { addWorkspace } from './workspace.tsx';
import { addWorkspaces } from './workspaces.tsx';

/** Adds every page of administration; for everyone but administrators they do not exist. */
export async function addAdmin(pages: FastifyInstance, deps: PageDeps): Promise<void> {
  await pages.register(async (scope) => {
    scope.addHook('onRequest', async (request) => void administratorOf(request));
    for (const add of [addQueue, addReview, addWorkspaces, addWorkspace, addSystem, addAudit]) add(scope, deps);
  });
}
