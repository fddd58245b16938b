import type { Slice } from '../kernel/slice.ts';
import type { FileParts, FileWork } from './parts.ts';

/** Files of VINs. */
export const files: Slice<FileParts, FileWork> = {
  name: 'files',
  tables: async () => (await import('./tables.ts')).FILE_TABLES,
  conversions: async () => (await import('./earlier-files.ts')).FILE_CONVERSIONS,
  privacy: async () => (await import('./privacy.ts')).privacy,
  routes: async (app, deps) => (await import('./api/route.ts')).addJobs(app, deps),
  pages: async (scope, deps) => {
    const { addFiles } = await import('./pages/files.tsx');
    // In a scope of its own: the forms of other pages are not multipart.
    await scope.register((own) => addFiles(own, deps));
  },
  tabs: { portal: [{ path: '/files', label: 'Files', place: 21 }] },
  workers: async (work) => ({ files: (await import('./worker.ts')).fileWorker(work) }),
  queues: {
    files: `SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM vin_files WHERE state IN ('queued', 'running')`,
  },
  retention: async (database, { nowMs, decodeDays }) =>
    (await import('./remove.ts')).removeOldFiles(database, nowMs, decodeDays),
};
