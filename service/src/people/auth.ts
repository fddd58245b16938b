import { createOTP } from '@better-auth/utils/otp';
import { betterAuth, type BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { symmetricDecrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { v7 } from 'uuid';

import type { Database } from '../kernel/db/index.ts';
import { SESSION_MS } from './people.ts';
import { PASSWORD_LENGTH } from './types.ts';
import { newRecoveryCodes, STORAGE_OF_RECOVERY_CODES } from './recovery-codes.ts';

/** Options of better-auth. */
export interface AuthOptions {
  database: Database;
  secret: string;
  /** True if browsers reach the service by https: then cookies are bound to host and https by their name. */
  isSecure: boolean;
  /** Says what is known to be wrong with the clock; undefined: nothing. */
  clockFault?: () => string | undefined;
}

/** Names of better-auth's tables and columns: see the start schema. */
const TABLES = {
  user: {
    modelName: 'auth_users',
    fields: {
      emailVerified: 'email_verified',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  session: {
    modelName: 'auth_sessions',
    expiresIn: SESSION_MS / 1_000,
    fields: {
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      userId: 'user_id',
    },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      accountId: 'account_id',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'auth_verifications',
    storeIdentifier: 'hashed' as const,
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
};

const TWO_FACTOR_TABLES = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'auth_two_factors',
    fields: {
      backupCodes: 'backup_codes',
      userId: 'user_id',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/** Functions that the library has only as parts of others, which act at once and in no transaction of ours. */
const PARTS = {
  id: 'parts',
  endpoints: {
    /** Gives a browser the cookie of a session. */
    giveSession: createAuthEndpoint(
      '/give-session',
      { method: 'POST', metadata: { SERVER_ONLY: true, $Infer: { body: { token: '' } } } },
      async (context) => {
        const found = await context.context.internalAdapter.findSession(context.body.token);
        if (found !== null) await setSessionCookie(context, found);
      },
    ),
    /** Refuses a code that is not one of a key. */
    checkCode: createAuthEndpoint(
      '/check-code',
      { method: 'POST', metadata: { SERVER_ONLY: true, $Infer: { body: { key: '', code: '' } } } },
      async ({ context, body: { key, code } }) => {
        const secret = await symmetricDecrypt({ key: context.secretConfig, data: key });
        if (!(await createOTP(secret).verify(code))) throw new APIError('UNAUTHORIZED');
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** Creates better-auth on our database. It is reachable only through the methods of `Accounts`. */
export function createAuth({ database, secret, isSecure }: AuthOptions) {
  return betterAuth({
    appName: 'Marque',
    // Appears in no URL: our pages write their own links.
    baseURL: isSecure ? 'https://localhost' : 'http://localhost',
    secret,
    database: { db: database.kysely, type: database.engine },
    logger: { disabled: true },
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
      // Accounts are made from links only: see links.ts.
      disableSignUp: true,
    },
    ...TABLES,
    advanced: {
      // The browser itself then refuses such a cookie from a subdomain, a path or plain http. Over plain http, which is
      // for one's own machine, no browser would take that name.
      cookiePrefix: isSecure ? '__Host-marque' : 'marque',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      // Origins are checked by the pages (`requireSameOrigin`), against the service's own address.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      // The account identifies who signed in; addresses are not stored.
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => v7() },
    },
    plugins: [
      PARTS,
      twoFactor({
        issuer: 'Marque',
        twoFactorTable: 'auth_two_factors',
        schema: TWO_FACTOR_TABLES,
        backupCodeOptions: {
          customBackupCodesGenerate: newRecoveryCodes,
          storeBackupCodes: STORAGE_OF_RECOVERY_CODES,
        },
      }),
    ],
  });
}

/**
 * Returns true if better-auth refused the input, as opposed to a bug or a database failure. It has no answer of its own
 * where the key of a second factor was encrypted with another secret than the present one: no code is right then.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof Error && error.message === 'invalid tag') return true;
  return error instanceof APIError && typeof error.statusCode === 'number' && error.statusCode < 500;
}

/** Returns true if better-auth tries no code of a person's, right or wrong: ten in a row were wrong. */
export function isLocked(error: unknown): boolean {
  return error instanceof APIError && error.body?.code === 'ACCOUNT_TEMPORARILY_LOCKED';
}
