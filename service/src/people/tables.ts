import { authFlag, authTime, bigint, integer, key, oneOf, type Rows, table, text } from '../kernel/db/table.ts';

/** Roles of a workspace's members: an owner may do everything, a member everything except members, plan and closing. */
export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The tables of accounts. Those of `auth_` have the column types that better-auth's Kysely adapter writes. */
export const ACCOUNT_TABLES = {
  /** Administrators of the service. */
  administrators: table({
    user_id: key().primary().belongsTo('auth_users'),
    created_at: bigint(),
  }),
  /** Links that were mailed: to finish a sign-up, to join a workspace, or to set a new password. */
  account_links: table(
    {
      /** Hex SHA-256 of the token. The token itself is stored nowhere. */
      id: key().primary(),
      purpose: oneOf('sign-up', 'invitation', 'reset'),
      email: text(),
      /** The workspace that a sign-up wants. */
      slug: text().nullable(),
      workspace_id: key().nullable().belongsTo('workspaces'),
      role: text<Role>().nullable(),
      /** The name of who invited, and their account: their invitations end with it. */
      invited_by: text().nullable(),
      inviter_id: key().nullable().belongsTo('auth_users'),
      created_at: bigint(),
      expires_at: bigint(),
    },
    {
      indexes: {
        account_links_email: '(email)',
        account_links_workspace: '(workspace_id)',
        account_links_inviter: '(inviter_id)',
      },
    },
  ),
  /** People, as better-auth keeps them. */
  auth_users: table({
    id: key().primary(),
    name: text(),
    email: key().unique(),
    email_verified: authFlag(),
    image: text().nullable(),
    created_at: authTime(),
    updated_at: authTime(),
    two_factor_enabled: authFlag().nullable(),
  }),
  /** Sessions, as better-auth keeps them. */
  auth_sessions: table(
    {
      id: key().primary(),
      expires_at: authTime(),
      token: key().unique(),
      created_at: authTime(),
      updated_at: authTime(),
      ip_address: text().nullable(),
      user_agent: text().nullable(),
      user_id: key().belongsTo('auth_users'),
    },
    { indexes: { auth_sessions_user: '(user_id)' } },
  ),
  /** Sign-in methods, as better-auth keeps them: one row each, with the hash of the password. */
  auth_accounts: table(
    {
      id: key().primary(),
      account_id: text(),
      provider_id: text(),
      user_id: key().belongsTo('auth_users'),
      access_token: text().nullable(),
      refresh_token: text().nullable(),
      id_token: text().nullable(),
      access_token_expires_at: authTime().nullable(),
      refresh_token_expires_at: authTime().nullable(),
      scope: text().nullable(),
      password: text().nullable(),
      created_at: authTime(),
      updated_at: authTime(),
    },
    { indexes: { auth_accounts_user: '(user_id)' } },
  ),
  /** Sign-ins that wait for a code, as better-auth keeps them, and tokens of new addresses that are not used. */
  auth_verifications: table(
    {
      id: key().primary(),
      identifier: text(),
      /** Whose sign-in or token it is. */
      value: text(),
      expires_at: authTime(),
      created_at: authTime(),
      updated_at: authTime(),
    },
    { indexes: { auth_verifications_identifier: '(identifier)' } },
  ),
  /** Second factors, as better-auth keeps them. */
  auth_two_factors: table(
    {
      id: key().primary(),
      secret: text(),
      backup_codes: text(),
      user_id: key().belongsTo('auth_users'),
      verified: authFlag().nullable(),
      failed_verification_count: integer().nullable(),
      locked_until: authTime().nullable(),
    },
    { indexes: { auth_two_factors_user: '(user_id)' } },
  ),
};

export type AccountTables = Rows<typeof ACCOUNT_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends AccountTables {}
}
