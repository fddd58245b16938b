/** What a member of a workspace may do: an owner everything, a member all but members, plan and closing. */
export type Role = 'owner' | 'member';

/** The tables of accounts: see `accounts/`. */
export interface AccountTables {
  /** Who administrates the service. */
  administrators: {
    user_id: string;
    created_at: number;
  };
  /** Links that were mailed: to finish a sign-up, to join a workspace, or to set a new password. */
  account_links: {
    /** Hex SHA-256 of the token. The token itself is stored nowhere. */
    id: string;
    purpose: 'sign-up' | 'invitation' | 'reset';
    email: string;
    /** The workspace that a sign-up wants. */
    slug: string | null;
    workspace_id: string | null;
    role: Role | null;
    /** The name of who invited, and their account: their invitations end with it. */
    invited_by: string | null;
    inviter_id: string | null;
    created_at: number;
    expires_at: number;
  };
  /** Tries of passwords, codes and mails, counted in fixed windows. */
  auth_tries: {
    scope: string;
    window_start: number;
    tries: number;
  };
  /**
   * People, as better-auth keeps them. Its tables have its own column types: times are ISO texts on SQLite and timestamps
   * on PostgreSQL. Only what our own queries read is listed.
   */
  auth_users: {
    id: string;
    name: string;
    email: string;
    email_verified: number | boolean;
    two_factor_enabled: number | boolean | null;
    created_at: string | Date;
    updated_at: string | Date;
  };
  /** How people sign in, as better-auth keeps it: one row each, with the hash of the password. */
  auth_accounts: {
    id: string;
    account_id: string;
    provider_id: string;
    user_id: string;
    password: string | null;
    created_at: string | Date;
    updated_at: string | Date;
  };
  /** Sessions, as better-auth keeps them. */
  auth_sessions: {
    id: string;
    user_id: string;
    token: string;
    user_agent: string | null;
    created_at: string | Date;
    updated_at: string | Date;
    expires_at: string | Date;
  };
  /** Second factors, as better-auth keeps them. */
  auth_two_factors: {
    id: string;
    user_id: string;
  };
  /** Sign-ins that wait for a code, as better-auth keeps them. */
  auth_verifications: {
    id: string;
    /** Whose sign-in it is. */
    value: string;
    expires_at: string | Date;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends AccountTables {}
}
