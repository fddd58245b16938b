import { integer, key, type Rows, table, text } from '../kernel/db/table.ts';

/** Requests made with workspaces' keys, and their answers. */
export const REQUEST_TABLES = {
  requests: table(
    {
      workspace_id: key().references('workspaces'),
      /** UUIDv7, so that ids sort by time; a decode that the request stored has the same. */
      id: key(),
      /** The stored decode that answered a repeated request; null: there is no other id. */
      answered_id: key().nullable(),
      key_id: key(),
      /** Method and the route's pattern: addresses contain VINs. */
      route: key(),
      status: integer(),
      milliseconds: integer(),
      /** The reason for the refusal; null: it was not refused. */
      reason: text().nullable(),
    },
    {
      primaryKey: ['workspace_id', 'id'],
      withoutRowid: true,
      indexes: {
        requests_refused: '(workspace_id, id) WHERE status >= 400',
        requests_answered: '(workspace_id, answered_id) WHERE answered_id IS NOT NULL',
      },
    },
  ),
};

type RequestTables = Rows<typeof REQUEST_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends RequestTables {}
}
