import { createHash, randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 7;
const GROUP_LENGTH = 4;
const CODES = 10;

/** Makes new recovery codes: 140 random bits each, in groups that people can copy by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

function newGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** Returns the stored form of a recovery code, in any way of typing it. With 140 random bits it needs no slow hash. */
export function hashOfRecoveryCode(code: string): string {
  const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
  return createHash('sha256').update(typed).digest('hex');
}

const HASH = /^[0-9a-f]{64}$/;

/**
 * Stores better-auth's recovery codes as hashes, so that a reader of the database or a backup cannot use them. The rest
 * of a list is written again after a code was used: hashes stay as they are.
 */
export const STORAGE_OF_RECOVERY_CODES = {
  encrypt: async (json: string): Promise<string> => {
    const codes: string[] = JSON.parse(json);
    return JSON.stringify(codes.map((code) => (HASH.test(code) ? code : hashOfRecoveryCode(code))));
  },
  decrypt: async (stored: string): Promise<string> => stored,
};
