/** The outcome of a job. `released`: returned to the queue because the worker stops. */
export type JobOutcome = 'completed' | 'failed' | 'released';

/** Called for every job that ended. */
export type JobWatcher = (queue: string, outcome: JobOutcome) => void;
