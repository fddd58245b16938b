import type { FastifyRequest } from 'fastify';

import type { Act } from '../../kernel/audit/index.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import type { People } from '../open.ts';
import type { Person, SignInFrom } from '../types.ts';

/** Other possessions of an account, as another slice defines them. */
export interface AccountHoldings {
  /**
   * Lists by name everything that is closed with the account, and everything that someone else must take over first.
   */
  of: (person: Pick<Person, 'id'>) => Promise<{ ending: string[]; stranding: string[] }>;
  /**
   * Closes everything that ends with the account, and then ends the account, in one act.
   * @returns the names of what someone else must take over first: then nothing has ended.
   */
  end: (person: Pick<Person, 'id' | 'email'>, endAccount: (act: Act) => Promise<void>) => Promise<string[]>;
  /** Follows an account to its new address. */
  readdress: (act: Act, from: string, to: string) => Promise<void>;
}

/** The dependencies of accounts, and of the workspaces that belong to them. */
export interface AccountParts extends Omit<People, 'close'> {
  holdings: AccountHoldings;
}

/** Returns the origin of a sign-in attempt. */
export function originOf({ networkOf }: Pick<PageKit, 'networkOf'>, request: FastifyRequest): SignInFrom {
  const { cookie, 'user-agent': userAgent = '' } = request.headers;
  return { network: networkOf(request), userAgent, cookie };
}

/** Addresses with which better-auth lets people sign in: it takes fewer than mail servers do. */
const EMAIL = /^(?=[^@]{1,64}@)(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]{0,62}\.)+[a-z]{2,63}$/;

/** The refusal of what `emailOf` does not take. */
export const NO_EMAIL =
  "This is not an e-mail address that an account can have: write one like name@example.com, with letters, digits and . _ ' + - before the @.";

/** Returns an e-mail address in the form in which it is stored; undefined: not one that an account can have. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && EMAIL.test(email) ? email : undefined;
}

/** Letters, digits and the punctuation of names: not enough for an address or a link. */
const NAME = /^[\p{L}\p{M}\p{N} .,'’()&-]+$/u;

/** Returns the fault of a person's name, which others read in mail; undefined: none. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'Enter the name that others in the workspace will see.';
  const isPlain = NAME.test(name) && !/\.[\p{L}\p{N}]{2}/u.test(name) && !/\bwww\b/i.test(name);
  return isPlain ? undefined : 'Use letters, digits, spaces, and hyphens, and no address.';
}
