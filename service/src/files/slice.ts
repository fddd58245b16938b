import type { CorrectedDecoder } from '../corrections/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';
import type { FileParts } from './parts.ts';
import type { FileThread } from './decode-vins.ts';
import type { FileWorkerDeps } from './worker.ts';

/** What the worker of files needs. */
export interface FileWork extends Omit<FileWorkerDeps, 'decodeVins' | 'planLimits'> {
  config: Config;
  decoder: CorrectedDecoder;
  /** Where VINs are decoded; undefined: in the main thread. */
  fileThread: FileThread | undefined;
}

/** Files of VINs. */
export const files: Slice<FileParts, FileWork> = {
  name: 'files',
  tables: async () => (await import('./tables.ts')).FILE_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  routes: async (app, deps) => (await import('./api/route.ts')).addJobs(app, deps),
  pages: async (scope, deps) => (await import('./pages/files.tsx')).addFiles(scope, deps),
  tabs: { portal: [{ path: '/files', label: 'Files', place: 50 }] },
  workers: async ({ config, decoder, fileThread, ...deps }) => {
    const { fileWorker } = await import('./worker.ts');
    const { decodeVinsWith } = await import('./decode-vins.ts');
    const decodeVins = decodeVinsWith(decoder, fileThread);
    return {
      files: fileWorker({ ...deps, decodeVins, planLimits: config.planLimits }),
    };
  },
  queues: {
    files: `SELECT run_at, locked_until, attempts, last_error, 1 AS counts FROM vin_files WHERE state IN ('queued', 'running')`,
  },
  retention: async (database, { nowMs, decodeDays }) =>
    (await import('./store.ts')).removeOldFiles(database, nowMs, decodeDays),
};
