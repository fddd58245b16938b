import type { FastifyInstance } from 'fastify';

import type { PageDeps } from './page-deps.ts';
import { workspaceRoutes } from './workspaces/pages/context.ts';
import { addDecode } from './decode/pages/decode.tsx';
import { addDecodes } from './decode/pages/decodes.tsx';
import { addFiles } from './files/pages/files.tsx';
import { addKeys } from './workspaces/pages/keys.tsx';
import { addMembers } from './workspaces/pages/members.tsx';
import { addPlan } from './billing/pages/plan.tsx';
import { addReports } from './corrections/pages/reports.tsx';
import { addTry } from './decode/pages/try.tsx';
import { addUsage } from './metering/pages/usage.tsx';
import { addWebhooks } from './webhooks/pages/webhooks.tsx';
import { addWorkspaces } from './workspaces/pages/workspaces.tsx';

/** Adds every page of the portal. */
export async function addPortal(scope: FastifyInstance, deps: PageDeps): Promise<void> {
  const routes = workspaceRoutes(scope, deps);
  const pages = [addUsage, addKeys, addTry, addDecodes, addDecode, addReports, addMembers, addPlan, addWebhooks];
  for (const add of pages) add(routes, deps);
  addWorkspaces(scope, deps);
  await addFiles(scope, deps);
}
