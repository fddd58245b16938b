import { codeAt, lastLink, Reader } from '../../testing/reader.ts';
import { runMarqueJson } from '../../testing/run-marque.ts';
import type { TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';

/** A password for tests. */
export const PASSWORD = 'correct horse battery';

/** Signs someone up through the pages, with a workspace of their own. */
export async function signUp(service: TestService, email: string, slug: string): Promise<Reader> {
  const reader = new Reader(service.app);
  const asked = await reader.submit('/sign-up', { email, slug });
  if (asked.statusCode !== 200) throw new Error(`Sign-up answered ${asked.statusCode}: ${asked.body}`);
  const link = lastLink(service.logged(), '/sign-up');
  const made = await reader.post(link, { name: 'Ada Example', password: PASSWORD });
  if (made.statusCode !== 303) throw new Error(`The link answered ${made.statusCode}: ${made.body}`);
  return reader;
}

/** Asks for a new password. @returns the address behind which it is chosen; the link is made in the background. */
export async function resetLink(service: TestService, email: string): Promise<string> {
  // Links that others asked for come into the same log, and may come in between.
  const linesWithOne = (): string[] =>
    service
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"to":"${email}"`) && line.includes('/reset/'));
  const before = linesWithOne().length;
  await new Reader(service.app).post('/forgot', { email });
  await until(async () => linesWithOne().length > before);
  return lastLink(linesWithOne().join('\n'), '/reset');
}

/** Returns the key for an authenticator app, which the page shows in groups. */
export function secretIn(body: string): string {
  return (/class="key in-groups"[^>]*>(.*?)<\/p>/s.exec(body)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');
}

/** Returns the hidden fields of a page. */
export function hiddenIn(body: string): Record<string, string> {
  const hidden = [...body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(hidden.map(([, name, value = '']) => [name, value.replaceAll('&amp;', '&')]));
}

/** Gives the reader's account a second factor. @returns its key and recovery codes. */
export async function addSecondFactor(
  reader: Reader,
  password = PASSWORD,
): Promise<{ secret: string; recoveryCodes: string[]; usedCode: string }> {
  const begun = await reader.submit('/account/second-factor', { password });
  const secret = secretIn(begun.body);
  const usedCode = codeAt(secret, Date.now());
  const fields = { ...hiddenIn(begun.body), code: usedCode };
  const confirmed = await reader.submit('/account/second-factor/confirm', fields);
  if (!confirmed.body.includes('The second factor is on.')) throw new Error(`Answered ${confirmed.statusCode}.`);
  const recoveryCodes = [...confirmed.body.matchAll(/<li>([^<]+)<\/li>/g)].map(([, code = '']) => code);
  return { secret, recoveryCodes, usedCode };
}

/** Makes an administrator on the command line. @returns the address behind which the password is chosen. */
export async function createAdministrator(service: TestService, email: string): Promise<string> {
  const { link } = await runMarqueJson(`admin create --email ${email}`, service.env);
  // oxlint-disable-next-line no-restricted-properties -- an address, not a file
  return new URL(String(link)).pathname;
}

/** Returns an administrator with password and second factor, signed in. */
export async function administrator(service: TestService, email: string): Promise<Reader> {
  const reader = new Reader(service.app);
  await reader.post(await createAdministrator(service, email), { password: PASSWORD });
  await reader.post('/sign-in', { email, password: PASSWORD });
  await addSecondFactor(reader);
  return reader;
}
