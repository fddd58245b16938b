/** What a member of a workspace may do: an owner everything, a member all but members, plan and closing. */
export type Role = 'owner' | 'member';

/** Who belongs to which workspace. */
interface WorkspaceMembersTable {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: number;
}

/** Who administrates the service. */
interface AdministratorsTable {
  user_id: string;
  created_at: number;
}

/** Links that were mailed: to finish a sign-up, to join a workspace, or to set a new password. */
interface AccountLinksTable {
  /** Hex SHA-256 of the token. The token itself is stored nowhere. */
  id: string;
  purpose: 'sign-up' | 'invitation' | 'reset';
  email: string;
  /** The workspace that a sign-up wants. */
  slug: string | null;
  workspace_id: string | null;
  role: Role | null;
  invited_by: string | null;
  created_at: number;
  expires_at: number;
}

/** Tries of passwords, codes and mails, counted in fixed windows. */
interface AuthTriesTable {
  scope: string;
  window_start: number;
  tries: number;
}

/**
 * People, as better-auth keeps them. Its tables have its own column types: times are ISO texts on SQLite and timestamps
 * on PostgreSQL. Only what our own queries read is listed.
 */
interface AuthUsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: number | boolean;
  created_at: string | Date;
  updated_at: string | Date;
}

/** How people sign in, as better-auth keeps it: one row each, with the hash of the password. */
interface AuthAccountsTable {
  id: string;
  account_id: string;
  provider_id: string;
  user_id: string;
  password: string | null;
  created_at: string | Date;
  updated_at: string | Date;
}

/** Sessions, as better-auth keeps them. */
interface AuthSessionsTable {
  id: string;
  user_id: string;
  token: string;
  user_agent: string | null;
  created_at: string | Date;
  updated_at: string | Date;
  expires_at: string | Date;
}

/** Sign-ins that wait for a code, as better-auth keeps them. */
interface AuthVerificationsTable {
  id: string;
  /** Whose sign-in it is. */
  value: string;
  expires_at: string | Date;
}

/** The tables of accounts: see `accounts/`. */
export interface AccountTables {
  workspace_members: WorkspaceMembersTable;
  administrators: AdministratorsTable;
  account_links: AccountLinksTable;
  auth_tries: AuthTriesTable;
  auth_users: AuthUsersTable;
  auth_accounts: AuthAccountsTable;
  auth_sessions: AuthSessionsTable;
  auth_verifications: AuthVerificationsTable;
}
