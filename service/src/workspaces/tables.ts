import { bigint, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';
import { ROLES } from '../people/index.ts';
import { PLANS } from './plan.ts';

/** Whose limit counts: the plan's, a number of the workspace's own, or none at all. */
const LIMIT_MODES = ['plan', 'fixed', 'none'] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** Workspaces, their keys and their members. */
export const WORKSPACE_TABLES = {
  workspaces: table(
    {
      id: key().primary(),
      slug: key().unique(),
      /** The name that people use; null: its slug. */
      name: text().nullable(),
      plan: oneOf(...PLANS),
      limit_mode: oneOf(...LIMIT_MODES).default('plan'),
      /** Set exactly when `limit_mode` is `fixed`. */
      monthly_limit: bigint().nullable().check('>= 0'),
      suspended_at: bigint().nullable(),
      created_at: bigint(),
      /** Its members have done its first steps, or dismissed them. */
      first_steps_ended_at: bigint().nullable(),
      /** Its creator, as a keyed hash of the address; null: an operator, or no longer needed. */
      founder: key().nullable(),
      /** The founder's earlier usage of the free allowance, in the month that it was founded in. */
      allowance_spent: bigint().default(0).check('>= 0'),
      /** Start of that UTC month. */
      allowance_spent_in: bigint().nullable(),
    },
    {
      checks: ["(limit_mode = 'fixed') = (monthly_limit IS NOT NULL)"],
      indexes: { workspaces_founder: '(founder)' },
    },
  ),
  api_keys: table(
    {
      id: key().primary(),
      workspace_id: key().references('workspaces'),
      name: text(),
      /** Hex SHA-256 of the whole key. The key itself is stored nowhere. */
      hash: key().unique(),
      /** The first characters of the key, for recognition. */
      prefix: text(),
      last4: text(),
      created_at: bigint(),
      /** The key is inactive from this time on. */
      expires_at: bigint().nullable(),
      revoked_at: bigint().nullable(),
      last_used_at: bigint().nullable(),
      /** The key that this one replaces. That key's grace begins with the first use of this one. */
      rotated_from: key().nullable().references('api_keys'),
    },
    {
      indexes: {
        api_keys_workspace: '(workspace_id, created_at)',
        api_keys_kept: { on: '(workspace_id, created_at) WHERE revoked_at IS NULL', since: 111 },
        api_keys_successors: { on: '(rotated_from) WHERE rotated_from IS NOT NULL', since: 111 },
      },
    },
  ),
  /** Members of workspaces. */
  workspace_members: table(
    {
      workspace_id: key().belongsTo('workspaces'),
      user_id: key().belongsTo('auth_users'),
      role: oneOf(...ROLES),
      created_at: bigint(),
    },
    { primaryKey: ['workspace_id', 'user_id'], indexes: { workspace_members_user: '(user_id)' } },
  ),
};

export type WorkspaceTables = Rows<typeof WORKSPACE_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends WorkspaceTables {}
  interface Topics {
    access: 'keys and workspaces';
  }
}
