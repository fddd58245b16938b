import type { Decoder } from '@marque/decoder';

import type { Enrichment } from '../enrichment/index.ts';
import type { ServerState } from '../kernel/db/index.ts';
import type { Queues } from '../kernel/jobs/index.ts';
import type { Slice } from '../kernel/slice.ts';
import type { Vitals } from '../kernel/ui/vitals.ts';

/** The dependencies of the pages of administration. */
export interface AdminParts {
  decoder: Pick<Decoder, 'info'>;
  /** Undefined: no source is configured. */
  enrichment: Pick<Enrichment, 'statuses'> | undefined;
  queues: Queues;
  vitals: Vitals;
  /** Returns the number of decodes that wait for their charge. */
  chargesWaiting: () => number;
  /** Resolves to the reason why it cannot decode, in a sentence; undefined: it can. */
  fault: () => Promise<string | undefined>;
  /** Undefined: the database is SQLite. */
  serverState: () => ServerState | undefined;
}

/** Administration pages that belong to no single feature. */
export const admin: Slice<AdminParts> = {
  name: 'admin',
  adminPages: async (scope, deps) => {
    const { addWorkspaces } = await import('./workspaces.tsx');
    const { addWorkspace } = await import('./workspace.tsx');
    const { addSystem } = await import('./system.tsx');
    const { addRunbook } = await import('./runbook.tsx');
    const { addAudit } = await import('./audit.tsx');
    for (const add of [addWorkspaces, addWorkspace, addSystem, addRunbook, addAudit]) add(scope, deps);
  },
  tabs: {
    admin: [
      { path: '/admin/workspaces', label: 'Workspaces', place: 20 },
      { path: '/admin/system', label: 'System', place: 30 },
      { path: '/admin/audit', label: 'Audit log', place: 40 },
    ],
  },
  commands: {
    audit: { summary: 'show and verify the log of who did what, when, and why', load: () => import('./cli.ts') },
  },
};
