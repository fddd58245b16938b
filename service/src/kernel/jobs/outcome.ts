/** The outcome of a job. `released`: returned to the queue before its end. */
export type JobOutcome = 'completed' | 'failed' | 'released';

/** Called for every job that ended. */
export type JobWatcher = (queue: string, outcome: JobOutcome) => void;
