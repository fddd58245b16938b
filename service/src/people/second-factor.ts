import { type Act, type ActDeps, audited } from '../kernel/audit/index.ts';
import { ALLOWANCES, type Throttle } from '../kernel/limits/throttle.ts';
import { noteChangeIn } from './changes.ts';
import type { AuthLibrary } from './library.ts';
import type { LinkMailer } from './mail.ts';
import {
  type EnteredPassword,
  hasSession,
  haveRecoveryCodes,
  isPasswordOf,
  keyOf,
  removeSecondFactor,
  replaceRecoveryCodes,
  turnOnSecondFactor,
} from './people.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import type { Guarded, Person, SetCookies } from './types.ts';

/** The second factor of a person's sign-in: an authenticator app, with recovery codes for when it is lost. */
export class SecondFactor {
  readonly #library: AuthLibrary;
  readonly #throttle: Throttle;

  constructor(library: AuthLibrary, throttle: Throttle) {
    this.#library = library;
    this.#throttle = throttle;
  }

  /**
   * Begins a second factor. Returns the URI for the authenticator app, and the recovery codes, which are shown only
   * once.
   */
  async begin(
    person: Person,
    password: string,
    cookie: string,
  ): Promise<Guarded<{ uri: string; recoveryCodes: string[] }>> {
    return this.#library.guarded(person, async (api) => {
      const begun = await api.enableTwoFactor({ body: { password, method: 'totp' }, headers: { cookie } });
      if (!('totpURI' in begun)) throw new Error('The second factor has no address for an authenticator app.');
      return { uri: begun.totpURI, recoveryCodes: begun.backupCodes };
    });
  }

  /** Takes the first code of the app, for a key that is not on yet. */
  async takeFirstCode(person: Person, key: string, code: string): Promise<Guarded<undefined>> {
    return this.#library.guarded(person, async (api) => {
      await api.checkCode({ body: { key, code } });
      await this.useUpCode(person.id, code);
      return undefined;
    });
  }

  /** Takes a code of an authenticator app once. @returns whether it was unused. */
  useUpCode(personId: string, code: string): Promise<boolean> {
    return this.#throttle.useUp(ALLOWANCES.codeOnce, `${personId}:${code}`);
  }
}

/** The dependencies of what changes a second factor. */
interface Changing extends ActDeps {
  accounts: {
    secondFactor: Pick<SecondFactor, 'takeFirstCode'>;
    confirmPassword: (person: Person, password: string, cookie: string) => Promise<Guarded<EnteredPassword>>;
    cookieOf: (token: string) => Promise<SetCookies>;
  };
  mailer: Pick<LinkMailer, 'isConfigured'>;
}

/**
 * Turns on a second factor with the first code of the app; all other sessions end.
 *
 * @param shown the recovery codes that the person was shown. `replaced`: it was begun again since.
 */
export async function turnOn(
  deps: Changing,
  person: Person,
  { code, shown }: { code: string; shown: readonly string[] | undefined },
): Promise<Guarded<SetCookies> | { kind: 'replaced' }> {
  const { accounts, database } = deps;
  const key = await keyOf(database.kysely, person.id);
  // The key in the app may be the other one, and these codes would never sign in.
  if (shown !== undefined && !(await haveRecoveryCodes(database, person.id, shown))) return { kind: 'replaced' };
  if (key === undefined) return { kind: 'refused' };
  const taken = await accounts.secondFactor.takeFirstCode(person, key, code);
  if (taken.kind !== 'done') return taken;
  const token = await audited(deps, `person:${person.email}`, async (act) => {
    const own = { engine: database.engine, kysely: act.transaction };
    const renewed = await turnOnSecondFactor(own, person, key, act.atMs);
    if (renewed !== undefined) await noteChangeIn(act, deps, person.email, 'second-factor.on');
    return renewed;
  });
  return token === undefined ? { kind: 'refused' } : { kind: 'done', value: await accounts.cookieOf(token) };
}

/** Ends the second factor of a signed-in person. */
export function turnOff(deps: Changing, person: Person, entered: Entered): Promise<Guarded<boolean>> {
  return confirmed(deps, person, entered, async (act) => {
    await noteChangeIn(act, deps, person.email, 'second-factor.off');
    return removeSecondFactor(act.transaction, person.id);
  });
}

/** Makes new recovery codes in place of a signed-in person's old ones. */
export function renewRecoveryCodes(deps: Changing, person: Person, entered: Entered): Promise<Guarded<string[]>> {
  return confirmed(deps, person, entered, async (act) => {
    const codes = newRecoveryCodes();
    if (!(await replaceRecoveryCodes(act.transaction, person.id, codes))) return undefined;
    await noteChangeIn(act, deps, person.email, 'recovery-codes.made');
    return codes;
  });
}

/** The password that a person enters to change their second factor, and the cookies of the request. */
interface Entered {
  password: string;
  cookie: string;
}

/** Does what the password of a signed-in person allows, in one act; undefined: there is nothing to change. */
async function confirmed<T>(
  deps: Changing,
  person: Person,
  { password, cookie }: Entered,
  work: (act: Act) => Promise<T | undefined>,
): Promise<Guarded<T>> {
  const entered = await deps.accounts.confirmPassword(person, password, cookie);
  if (entered.kind !== 'done') return entered;
  const value = await audited(deps, `person:${person.email}`, async (act) => {
    const own = { engine: deps.database.engine, kysely: act.transaction };
    // Both may have ended while it waited.
    if (!(await isPasswordOf(own, entered.value)) || !(await hasSession(own, person))) return undefined;
    return work(act);
  });
  return value === undefined ? { kind: 'refused' } : { kind: 'done', value };
}
