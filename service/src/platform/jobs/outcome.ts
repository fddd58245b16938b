/** What came of a job. `released`: given back undone, since the worker ends. */
export type JobOutcome = 'completed' | 'failed' | 'released';

/** Called for every job that ended. */
export type JobWatcher = (queue: string, outcome: JobOutcome) => void;
