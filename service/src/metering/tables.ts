import { bigint, flag, integer, key, type Rows, table, text } from '../kernel/db/table.ts';

/** Counters change at every charge: half-filled pages keep their new versions where the old ones are. */
const HALF_FILLED = 50;

/** Decodes, charged and not, and their counters. */
export const USAGE_TABLES = {
  decodes: table(
    {
      /** UUIDv7 made at the time of the request, so that ids sort by time: the `X-Request-Id` of the answer. */
      id: key().primary(),
      /** The account that asked: see `workspaces/subject.ts`. */
      subject: key(),
      /** The key that was used; null for public access. */
      key_id: key().nullable(),
      vin: key(),
      outcome: text(),
      /** JSON at full depth; the reader cuts it to the plan. */
      report: text(),
      /** 1: counted in `usage_counters` and `usage_ledger`; 0: free of charge. */
      charged: flag(),
      created_at: bigint(),
    },
    {
      // A range of ids is a range of time: looking one up touches one partition only.
      partitionedBy: 'id',
      indexes: { decodes_subject: '(subject, id)', decodes_uncharged: '(subject, vin) WHERE charged = 0' },
    },
  ),
  usage_counters: table(
    {
      subject: key(),
      /** Start of the UTC month. */
      window_start: bigint(),
      used: bigint().check('>= 0'),
    },
    { primaryKey: ['subject', 'window_start'], withoutRowid: true, fillFactor: HALF_FILLED },
  ),
  /** The outbox of charging: shares of a month's limit that a workspace has reached, once each. */
  usage_thresholds: table(
    {
      workspace_id: key(),
      window_start: bigint(),
      usage_limit: bigint(),
      percent: integer<80 | 100>(),
      used: bigint(),
      window_end: bigint(),
      reached_at: bigint(),
      /** Null: not yet consumed. */
      handled_at: bigint().nullable(),
    },
    {
      primaryKey: ['workspace_id', 'window_start', 'usage_limit', 'percent'],
      withoutRowid: true,
      indexes: { usage_thresholds_new: '(reached_at) WHERE handled_at IS NULL' },
    },
  ),
  /** Shares of the limit at which a workspace's owners get a mail. */
  usage_alerts: table(
    {
      workspace_id: key().belongsTo('workspaces'),
      percent: integer().check('BETWEEN 1 AND 100'),
      /** Start of the month in which it was last mailed, and the limit then; null: never. */
      mailed_in: bigint().nullable(),
      mailed_limit: bigint().nullable(),
    },
    { primaryKey: ['workspace_id', 'percent'], withoutRowid: true },
  ),
  usage_ledger: table(
    {
      subject: key(),
      window_start: bigint(),
      /** Start of the UTC day. */
      day_start: bigint(),
      /** Empty for public access: a part of the primary key cannot be null. */
      key_id: key(),
      charged: bigint().check('> 0'),
    },
    {
      primaryKey: ['subject', 'window_start', 'day_start', 'key_id'],
      withoutRowid: true,
      fillFactor: HALF_FILLED,
    },
  ),
  idempotency: table(
    {
      /** The subject that sent the key, or another name that keeps two routes' keys apart. */
      scope: key(),
      idempotency_key: key(),
      body_hash: text(),
      decode_id: key().nullable(),
      /** The data that the route needs to give the same answer again. */
      outcome: text(),
      usage_limit: bigint().nullable(),
      usage_remaining: bigint().nullable(),
      usage_reset_at: bigint().nullable(),
      expires_at: bigint(),
    },
    { primaryKey: ['scope', 'idempotency_key'], indexes: { idempotency_expiry: '(expires_at)' } },
  ),
  public_secrets: table({
    window_start: bigint().primary(),
    /** Hex. */
    secret: text(),
  }),
};

export type UsageTables = Rows<typeof USAGE_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends UsageTables {}
}
