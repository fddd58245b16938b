import { bigint, integer, key, type Rows, table } from '../kernel/db/table.ts';

/** The outcomes of requests, for the status page. */
export const SITE_TABLES = {
  /** One row for each minute in which a process ran, even if nothing was requested. */
  request_minutes: table(
    {
      /** The start of the minute. */
      at: bigint(),
      /** Names the process, from its start to its end. */
      instance: key(),
      answered: integer(),
      /** Answered with a status of 500 or more. */
      failed: integer(),
      /** Refused because of overload. */
      shed: integer(),
    },
    { primaryKey: ['at', 'instance'], withoutRowid: true, since: 102 },
  ),
};

type SiteTables = Rows<typeof SITE_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends SiteTables {}
}
