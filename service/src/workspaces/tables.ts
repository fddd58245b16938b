import type { Generated } from 'kysely';

import type { Plan } from '../kernel/db/plans.ts';
import type { Role } from '../people/tables.ts';

/** Whose limit counts: the plan's, a number of the workspace's own, or none at all. */
export type LimitMode = 'plan' | 'fixed' | 'none';

/** Workspaces, their keys and their members. */
export interface WorkspaceTables {
  workspaces: {
    id: string;
    slug: string;
    plan: Plan;
    limit_mode: LimitMode;
    /** Set exactly when `limit_mode` is `fixed`. */
    monthly_limit: number | null;
    suspended_at: number | null;
    created_at: number;
    /** Its creator, as a keyed hash of the address; null: an operator, or no longer needed. */
    founder: Generated<string | null>;
    /** What its founder had spent of the free allowance before, in the month that it was founded in. */
    allowance_spent: Generated<number>;
    /** Start of that UTC month. */
    allowance_spent_in: Generated<number | null>;
  };
  api_keys: {
    id: string;
    workspace_id: string;
    name: string;
    /** Hex SHA-256 of the whole key. The key itself is stored nowhere. */
    hash: string;
    /** The first characters of the key, for recognition. */
    prefix: string;
    last4: string;
    created_at: number;
    /** The key is inactive from this time on. */
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    /** The key that this one replaces. That key's grace begins with the first use of this one. */
    rotated_from: string | null;
  };
  /** Who belongs to which workspace. */
  workspace_members: {
    workspace_id: string;
    user_id: string;
    role: Role;
    created_at: number;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends WorkspaceTables {}
}
