import { createHash, randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 7;
const GROUP_LENGTH = 4;
const CODES = 10;

/** New recovery codes: 140 random bits each, in groups that people can copy by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

function newGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** What is stored of a recovery code, however it is typed. With 140 random bits it needs no slow hash. */
export function hashOfRecoveryCode(code: string): string {
  const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
  return createHash('sha256').update(typed).digest('hex');
}

const HASH = /^[0-9a-f]{64}$/;

/** A list of codes as hashes. What is left of one after a code was used is written again: hashes stay as they are. */
function hashed(json: string): string {
  const codes: string[] = JSON.parse(json);
  return JSON.stringify(codes.map((code) => (HASH.test(code) ? code : hashOfRecoveryCode(code))));
}

/**
 * How better-auth stores recovery codes: as hashes, so that who reads the database or a backup cannot use them. Before,
 * they were encrypted with a secret in the same database: such lists are read, and hashed when next written.
 */
export function storageOfRecoveryCodes(secret: string): {
  encrypt: (codes: string) => Promise<string>;
  decrypt: (stored: string) => Promise<string>;
} {
  return {
    encrypt: async (codes) => hashed(codes),
    decrypt: async (stored) => {
      if (stored.startsWith('[')) return stored;
      const { symmetricDecrypt } = await import('better-auth/crypto');
      return hashed(await symmetricDecrypt({ key: secret, data: stored }));
    },
  };
}
