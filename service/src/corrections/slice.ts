import type { Slice } from '../kernel/slice.ts';
import type { ReportParts } from './route.ts';

/** Reports of wrong decodes, their review, and the overrides that follow. */
export const corrections: Slice<ReportParts> = {
  name: 'corrections',
  tables: async () => (await import('./tables.ts')).CORRECTION_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
  retention: async (database, { nowMs, decodeDays }) =>
    (await import('./privacy.ts')).dropOldTexts(database, nowMs, decodeDays),
  routes: async (app, deps) => {
    const { addOwnReports, addReportDecodeIssue } = await import('./route.ts');
    addReportDecodeIssue(app, deps);
    addOwnReports(app, deps);
  },
  pages: async (scope, deps) => (await import('./pages/reports.tsx')).addReports(scope, deps),
  adminPages: async (scope, deps) => {
    const { addQueue } = await import('./pages/queue.tsx');
    const { addReview } = await import('./pages/review-route.tsx');
    addQueue(scope, deps);
    addReview(scope, deps);
  },
  tabs: {
    portal: [{ path: '/reports', label: 'Reports', place: 23 }],
    admin: [{ path: '/admin', label: 'Corrections', place: 10 }],
  },
  commands: {
    corrections: {
      summary: 'review reports of wrong decodes, and correct them',
      load: () => import('./cli/corrections.ts'),
    },
  },
};
