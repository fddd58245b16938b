import type { Slice } from '../kernel/slice.ts';
import type { PageKit } from '../kernel/ui/page-kit.ts';
import type { Corrections } from './index.ts';
import type { ReportRouteDeps } from './route.ts';

/** What the pages of corrections need. */
export interface CorrectionPageDeps extends PageKit {
  corrections: Corrections;
}

/** Reports of wrong decodes, their review, and the overrides that follow. */
export const corrections: Slice<ReportRouteDeps, CorrectionPageDeps> = {
  name: 'corrections',
  tables: async () => (await import('./tables.ts')).CORRECTION_TABLES,
  privacy: async () => (await import('./privacy.ts')).privacy,
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
    portal: [{ path: '/reports', label: 'Reports', place: 60 }],
    admin: [{ path: '/admin', label: 'Corrections', place: 10 }],
  },
  commands: {
    corrections: {
      summary: 'review reports of wrong decodes, and correct them',
      load: () => import('./cli/index.ts'),
    },
  },
};
