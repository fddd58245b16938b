import type { FastifyInstance } from 'fastify';

import type { PageDeps } from './page-deps.ts';
import { administratorOf } from './people/guard.ts';
import { addAudit } from './admin/audit.tsx';
import { addQueue } from './corrections/pages/queue.tsx';
import { addReview } from './corrections/pages/review-route.tsx';
import { addSystem } from './admin/system.tsx';
import { addWorkspace } from './admin/workspace.tsx';
import { addWorkspaces } from './admin/workspaces.tsx';

/** Adds every page of administration; for everyone but administrators they do not exist. */
export async function addAdmin(pages: FastifyInstance, deps: PageDeps): Promise<void> {
  await pages.register(async (scope) => {
    scope.addHook('onRequest', async (request) => void administratorOf(request));
    for (const add of [addQueue, addReview, addWorkspaces, addWorkspace, addSystem, addAudit]) add(scope, deps);
  });
}
