import type { FastifyInstance } from 'fastify';

import type { PageDeps } from '../deps.ts';
import { workspaceRoutes } from './context.ts';
import { addDecode } from './decode.tsx';
import { addDecodes } from './decodes.tsx';
import { addFiles } from './files.tsx';
import { addKeys } from './keys.tsx';
import { addMembers } from './members.tsx';
import { addPlan } from './plan.tsx';
import { addReports } from './reports.tsx';
import { addTry } from './try.tsx';
import { addUsage } from './usage.tsx';
import { addWebhooks } from './webhooks.tsx';
import { addWorkspaces } from './workspaces.tsx';

/** Adds every page of the portal. */
export async function addPortal(scope: FastifyInstance, deps: PageDeps): Promise<void> {
  const routes = workspaceRoutes(scope, deps);
  const pages = [addUsage, addKeys, addTry, addDecodes, addDecode, addReports, addMembers, addPlan, addWebhooks];
  for (const add of pages) add(routes, deps);
  addWorkspaces(scope, deps);
  await addFiles(scope, deps);
}
