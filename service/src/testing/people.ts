import { codeAt, lastLink, Reader } from './reader.ts';
import type { TestService } from './service.ts';

/** What people type in tests. */
export const PASSWORD = 'correct horse battery';

/** Signs someone up through the pages, with a workspace of their own. */
export async function signUp(service: TestService, email: string, slug: string): Promise<Reader> {
  const reader = new Reader(service.app);
  const asked = await reader.post('/sign-up', { email, slug });
  if (asked.statusCode !== 200) throw new Error(`Sign-up answered ${asked.statusCode}: ${asked.body}`);
  const link = lastLink(service.logged(), '/sign-up');
  const made = await reader.post(link, { name: 'Ada Example', password: PASSWORD });
  if (made.statusCode !== 303) throw new Error(`The link answered ${made.statusCode}: ${made.body}`);
  return reader;
}

/** Gives the reader's account a second factor. @returns its key and recovery codes. */
export async function addSecondFactor(reader: Reader): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await reader.post('/account/second-factor', { password: PASSWORD });
  const secret = /class="key">([A-Z2-7]+)</.exec(begun.body)?.[1] ?? '';
  const recoveryCodes = [...begun.body.matchAll(/<li>([^<]+)<\/li>/g)].map(([, code = '']) => code);
  const confirmed = await reader.post('/account/second-factor/confirm', { code: codeAt(secret, Date.now()) });
  if (confirmed.statusCode !== 303) throw new Error(`The code was answered ${confirmed.statusCode}.`);
  return { secret, recoveryCodes };
}
