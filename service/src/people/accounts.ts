import { HOUR_MS, type Clock } from '../kernel/clock.ts';
import { cookieIn } from '../kernel/cookies.ts';
import { type Database, DatabaseUnavailableError } from '../kernel/db/index.ts';
import type { AuthOptions } from './auth.ts';
import { isAdministrator } from './administrators.ts';
import { DeviceCookies } from './device.ts';
import { type PasswordChecker, passwordChecker } from './guessable.ts';
import { isLocked, isRefusal, AuthLibrary } from './library.ts';
import { endWaiting, type EnteredPassword, isPasswordOf, passwordOf } from './people.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { SecondFactor } from './second-factor.ts';
import type { Tenant } from '../kernel/limits/slots.ts';
import { ALLOWANCES, Throttle } from '../kernel/limits/throttle.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { Guarded, Person, SetCookies, SignIn, SignInFrom } from './types.ts';

/** The longest time of a session after signing in, in milliseconds: an administrator's ends with the working day. */
const SESSION_ENDS_MS = { person: 30 * 24 * HOUR_MS, administrator: 12 * HOUR_MS };

/** People: their passwords, sessions and second factors. */
export class Accounts {
  readonly throttle: Throttle;
  readonly passwords: PasswordChecker = passwordChecker;
  readonly secondFactor: SecondFactor;
  readonly #devices: DeviceCookies;
  readonly #library: AuthLibrary;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(deps: AuthOptions & { clock: Clock }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.throttle = new Throttle(deps.database, deps.clock);
    this.#library = new AuthLibrary(deps, this.throttle);
    this.secondFactor = new SecondFactor(this.#library, this.throttle);
    this.#devices = new DeviceCookies(deps);
  }

  /**
   * Looks a session up. For a database that does not answer, the library reports only that the look-up failed.
   *
   * @throws DatabaseUnavailableError
   */
  async #sessionOf(cookie: string) {
    try {
      return await (await this.#library.api()).getSession({ headers: { cookie }, returnHeaders: true });
    } catch (cause) {
      throw new DatabaseUnavailableError('Who is signed in could not be looked up.', { cause });
    }
  }

  /** Refuses what people send while the clock is known to be wrong. @throws DatabaseUnavailableError */
  requireRightClock(): void {
    this.#library.requireRightClock();
  }

  /** Returns the signed-in person, by the cookies of a request. */
  async personOf(cookie: string | undefined): Promise<{ person: Person; setCookies: SetCookies } | undefined> {
    // Most requests for public pages have none: no need to ask the database.
    if (cookie === undefined || !cookie.includes('marque.session_token=')) return undefined;
    const { response, headers } = await this.#sessionOf(cookie);
    if (response === null) return undefined;
    const { user, session } = response;
    const administrates = await isAdministrator(this.#database, user.id);
    const ageMs = this.#clock() - new Date(session.createdAt).getTime();
    if (ageMs > SESSION_ENDS_MS[administrates ? 'administrator' : 'person']) {
      await this.#database.kysely.deleteFrom('auth_sessions').where('id', '=', session.id).execute();
      return undefined;
    }
    const person: Person = {
      id: user.id,
      email: user.email,
      name: user.name,
      hasSecondFactor: user.twoFactorEnabled === true,
      isAdministrator: administrates,
      sessionId: session.id,
      sessionToken: session.token,
    };
    return { person, setCookies: headers.getSetCookie() };
  }

  /** Tries a password. */
  async signIn(email: string, password: string, from: SignInFrom): Promise<SignIn> {
    const device = this.#devices.idOf(from.cookie, email);
    const pair = `${from.network} ${email}`;
    const counts =
      device === undefined
        ? ([
            [ALLOWANCES.signInFromNetwork, from.network],
            [ALLOWANCES.signInFromNetworkToAccount, pair],
            [ALLOWANCES.signInToAccount, email],
          ] as const)
        : ([[ALLOWANCES.signInFromDevice, device]] as const);
    const spent = this.throttle.spentAmong(...counts);
    if (spent !== undefined) return { kind: 'throttled', retryAfterSeconds: spent };
    let entered: EnteredPassword | undefined;
    try {
      const tried = await this.#library.inTurn(turnOf(from, device), async ({ api }) => {
        // Not before: who is refused because too many wait has tried nothing.
        const wait = await this.throttle.countInTurn(...counts);
        if (wait !== undefined) return wait;
        entered = await passwordOf(this.#database, { email });
        return api.signInEmail({
          body: { email, password },
          headers: { 'user-agent': from.userAgent.slice(0, 300) },
          returnHeaders: true,
        });
      });
      if (typeof tried === 'number') return { kind: 'throttled', retryAfterSeconds: tried };
      const { response, headers } = tried;
      if (await this.#endIfReplaced(entered, response)) return { kind: 'refused' };
      await this.throttle.forget(ALLOWANCES.signInToAccount, email);
      await this.throttle.forget(ALLOWANCES.signInFromNetworkToAccount, pair);
      const setCookies = headers.getSetCookie();
      if ('twoFactorRedirect' in response) return { kind: 'second-factor', setCookies };
      const cookies = [...setCookies, this.#devices.issue(email)];
      return { kind: 'signed-in', setCookies: cookies, person: response.user, byRecoveryCode: false };
    } catch (error) {
      if ((await isRefusal(error)) || (await this.#isReplaced(entered))) return { kind: 'refused' };
      throw error;
    }
  }

  /**
   * Finishes a sign-in with a code of the authenticator app, or with a recovery code. `locked`: ten wrong ones in a row
   * were sent, and none is tried for a time.
   */
  async signInWithCode(code: string, cookie: string, network: string): Promise<SignIn | { kind: 'locked' }> {
    const wait = await this.throttle.count(ALLOWANCES.codeFromNetwork, network);
    if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };
    const isFromApp = /^\d{6}$/.test(code);
    const challenge = await this.#challengeIn(cookie);
    if (challenge === undefined) return { kind: 'refused' };
    const { personId } = challenge;
    // Before the library looks for the sign-in, which a new password ends.
    const entered = await passwordOf(this.#database, { id: personId });
    // A code that someone saw being typed must not work again: RFC 6238, 5.2. It is marked as used before it is
    // tried, so that a used one does not end the sign-in.
    if (isFromApp && !(await this.secondFactor.useUpCode(personId, code))) return { kind: 'refused' };
    const request = {
      body: { code: isFromApp ? code : hashOfRecoveryCode(code) },
      headers: { cookie: challenge.cookie },
      returnHeaders: true,
    } as const;
    try {
      const api = await this.#library.api();
      const { response, headers } = await (isFromApp ? api.verifyTOTP(request) : api.verifyBackupCode(request));
      if (await this.#endIfReplaced(entered, response)) return { kind: 'refused' };
      const { user } = response;
      const setCookies = [...headers.getSetCookie(), this.#devices.issue(user.email)];
      return { kind: 'signed-in', setCookies, person: user, byRecoveryCode: !isFromApp };
    } catch (error) {
      if (!(await isRefusal(error)) && !(await this.#isReplaced(entered))) throw error;
      if (isFromApp) await this.throttle.forget(ALLOWANCES.codeOnce, `${personId}:${code}`);
      return { kind: (await isLocked(error)) ? 'locked' : 'refused' };
    }
  }

  /**
   * Ends what a sign-in has just begun if another password replaced the one that it began with.
   * @returns whether it did.
   */
  async #endIfReplaced(entered: EnteredPassword | undefined, begun: object): Promise<boolean> {
    if (entered === undefined || !(await this.#isReplaced(entered))) return false;
    if ('token' in begun && typeof begun.token === 'string') {
      await this.#database.kysely.deleteFrom('auth_sessions').where('token', '=', begun.token).execute();
    } else await endWaiting(this.#database.kysely, entered.personId);
    return true;
  }

  /** Returns true if an account has another password than it had, or none, since it was closed. */
  async #isReplaced(entered: EnteredPassword | undefined): Promise<boolean> {
    return entered !== undefined && !(await isPasswordOf(this.#database, entered));
  }

  /** Returns true if a sign-in in this browser waits for its code. */
  async isCodeAwaited(cookie: string): Promise<boolean> {
    return (await this.#challengeIn(cookie)) !== undefined;
  }

  /**
   * Returns the person whose sign-in waits for a code in this browser, and the cookie that says so: the library, which
   * checks its signature when the code is tried, gets no other one, and so finds no other person.
   */
  async #challengeIn(cookies: string): Promise<{ personId: string; cookie: string } | undefined> {
    const { internalAdapter, createAuthCookie } = await this.#library.context();
    const { name } = createAuthCookie('two_factor');
    const value = cookieIn(cookies, name) ?? '';
    const [token] = value.split('.');
    if (token === undefined || token === '') return undefined;
    const personId = (await internalAdapter.findVerificationValue(token))?.value;
    return personId === undefined ? undefined : { personId, cookie: `${name}=${value}` };
  }

  /** Ends the session of a request. */
  async signOut(cookie: string): Promise<SetCookies> {
    const { headers } = await (await this.#library.api()).signOut({ headers: { cookie }, returnHeaders: true });
    return headers.getSetCookie();
  }

  /** Returns the id of an address's account, if it has one. For our own decisions, never for an answer. */
  async idOf(email: string): Promise<string | undefined> {
    const { internalAdapter } = await this.#library.context();
    return (await internalAdapter.findUserByEmail(email))?.user.id;
  }

  /** Returns a password's hash for storage. */
  async hash(password: string, from: Pick<SignInFrom, 'network' | 'hasLink'> | Person): Promise<string> {
    const turn = 'network' in from ? turnOf(from) : { id: from.id, isPaid: true };
    return this.#library.inTurn(turn, async ({ $context }) => (await $context).password.hash(password));
  }

  /** Returns the cookie by which a browser whose person has proven an address is known when it signs in. */
  deviceCookie(email: string): string {
    return this.#devices.issue(email);
  }

  /** Returns the cookie of a session that was stored with this token. */
  async cookieOf(token: string): Promise<SetCookies> {
    const { headers } = await (await this.#library.api()).giveSession({ body: { token }, returnHeaders: true });
    return headers.getSetCookie();
  }

  /**
   * Checks that this is the person's password. What it allows is stored in a transaction that looks again whether it
   * still is: see `isPasswordOf`.
   */
  async confirmPassword(person: Person, password: string, cookie: string): Promise<Guarded<EnteredPassword>> {
    return this.#library.guarded(person, async (api, entered) => {
      await api.verifyPassword({ body: { password }, headers: { cookie } });
      return entered;
    });
  }

  /** Changes the name that others see. @returns false: the session has ended meanwhile. */
  async rename(name: string, cookie: string): Promise<boolean> {
    try {
      await (await this.#library.api()).updateUser({ body: { name }, headers: { cookie } });
      return true;
    } catch (error) {
      if (await isRefusal(error)) return false;
      throw error;
    }
  }
}

/** Returns whose turn it is to hash a password: links and strangers share the turns of their network. */
function turnOf({ network, hasLink = false }: Pick<SignInFrom, 'network' | 'hasLink'>, device?: string): Tenant {
  if (device !== undefined) return { id: device, isPaid: true };
  const wide = wideNetworkOf(network);
  return { id: hasLink ? `link ${wide}` : wide, isPaid: hasLink };
}
