/** The columns of `JobColumns`, as every table of jobs ends with them. */
export const JOB_COLUMNS = `run_at bigint NOT NULL,
    locked_by text COLLATE "C",
    locked_until bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    last_error text`;
