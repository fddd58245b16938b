/** What came of a job. `released`: given back undone, since the worker ends. */
export type JobOutcome = 'completed' | 'failed' | 'released';
