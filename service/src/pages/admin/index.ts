import type { FastifyInstance } from 'fastify';

import { addAudit } from './audit.tsx';
import type { AdminDeps } from './context.ts';
import { addQueue } from './queue.tsx';
import { addReview } from './review-route.tsx';
import { addSystem } from './system.tsx';
import { addWorkspace } from './workspace.tsx';
import { addWorkspaces } from './workspaces.tsx';

/** Adds every page of administration. */
export function addAdmin(scope: FastifyInstance, deps: AdminDeps): void {
  for (const add of [addQueue, addReview, addWorkspaces, addWorkspace, addSystem, addAudit]) add(scope, deps);
}
