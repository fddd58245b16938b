/** A signed-in person. */
export interface Person {
  id: string;
  email: string;
  name: string;
  hasSecondFactor: boolean;
  isAdministrator: boolean;
  /** The session of the browser. */
  sessionId: string;
  /** The token that the session had then: a new password gives it another one. */
  sessionToken: string;
}

/** Cookies to set in the browser, whole header values. */
export type SetCookies = readonly string[];

/** The origin of a sign-in. */
export interface SignInFrom {
  network: string;
  userAgent: string;
  /** All cookies of the request. */
  cookie: string | undefined;
  /** True: a mailed link has just led to the account. It then comes before strangers. */
  hasLink?: boolean;
}

/** The outcome of a sign-in. `refused` does not reveal whether the account or the password is wrong. */
export type SignIn =
  | { kind: 'signed-in'; setCookies: SetCookies; person: { id: string; email: string }; byRecoveryCode: boolean }
  | { kind: 'second-factor'; setCookies: SetCookies }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** The outcome of something that needs the password or a code. */
export type Guarded<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Longest and shortest password; a long one costs nothing but the time to hash it. */
export const PASSWORD_LENGTH = { least: 12, most: 128 };
