export type {
  AcceptOutcome,
  Corrections,
  DecideOutcome,
  Decision,
  Page,
  Rejection,
  ReportQuery,
  Submission,
} from './store.ts';
export type * from './types.ts';
