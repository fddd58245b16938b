import type { Database } from '../kernel/db/index.ts';
import type { AuthLibrary } from './library.ts';
import { endWaiting, removeSecondFactor } from './people.ts';
import { ALLOWANCES, type Throttle } from '../kernel/limits/throttle.ts';
import type { Guarded, Person, SetCookies } from './types.ts';

/** The second factor of a person's sign-in: an authenticator app, with recovery codes for when it is lost. */
export class SecondFactor {
  readonly #library: AuthLibrary;
  readonly #throttle: Throttle;
  readonly #database: Database;

  constructor(library: AuthLibrary, throttle: Throttle, database: Database) {
    this.#library = library;
    this.#throttle = throttle;
    this.#database = database;
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

  /** Turns on a second factor with the first code of the app. */
  async confirm(person: Person, code: string, cookie: string): Promise<Guarded<SetCookies>> {
    const work = async (api: Awaited<ReturnType<AuthLibrary['api']>>): Promise<SetCookies> => {
      const { headers } = await api.verifyTOTP({ body: { code }, headers: { cookie }, returnHeaders: true });
      await this.useUpCode(person.id, code);
      // It was asked for with the password alone.
      await endWaiting(this.#database.kysely, person.id);
      return headers.getSetCookie();
    };
    return this.#library.guarded(person, work, () => removeSecondFactor(this.#database.kysely, person.id));
  }

  /** Ends the second factor. */
  async end(person: Person, password: string, cookie: string): Promise<Guarded<SetCookies>> {
    return this.#library.guarded(person, async (api) => {
      const { headers } = await api.disableTwoFactor({ body: { password }, headers: { cookie }, returnHeaders: true });
      return headers.getSetCookie();
    });
  }

  /** Makes new recovery codes in place of the old ones. */
  async newRecoveryCodes(person: Person, password: string, cookie: string): Promise<Guarded<string[]>> {
    return this.#library.guarded(person, async (api) => {
      const made = await api.generateBackupCodes({ body: { password }, headers: { cookie } });
      return made.backupCodes;
    });
  }

  /** Takes a code of an authenticator app once. @returns whether it was unused. */
  useUpCode(personId: string, code: string): Promise<boolean> {
    return this.#throttle.useUp(ALLOWANCES.codeOnce, `${personId}:${code}`);
  }
}
