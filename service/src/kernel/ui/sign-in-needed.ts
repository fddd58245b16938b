/** A page needs someone signed in, or a step of theirs first. */
export class SignInNeededError extends Error {
  override name = 'SignInNeededError';
  /** The address to go to first, with the way back. */
  readonly location: string;

  constructor(next: string, first = '/sign-in') {
    super('Sign in first.');
    this.location = `${first}?next=${encodeURIComponent(next)}`;
  }
}

/**
 * Returns a path of this service to redirect to; empty: none was given, or something else, such as another site's URL.
 */
export function nextPath(text: string | null | undefined): string {
  return text !== null && text !== undefined && /^\/(?![/\\])[A-Za-z0-9/_.~%?=&-]{0,500}$/.test(text) ? text : '';
}
