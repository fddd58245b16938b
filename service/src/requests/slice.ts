import type { Slice } from '../kernel/slice.ts';

/** Requests made with workspaces' keys, and their answers. */
export const requests: Slice = {
  name: 'requests',
  tables: async () => (await import('./tables.ts')).REQUEST_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  pages: async (scope, deps) => (await import('./pages/requests.tsx')).addRequests(scope, deps),
  tabs: { portal: [{ path: '/requests', label: 'Requests', place: 31 }] },
  retention: async (database, { nowMs }) => (await import('./list.ts')).pruneRequests(database, nowMs),
};
