import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Actor } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { textOf } from '../kernel/http/errors.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { SignInNeededError } from '../kernel/ui/sign-in-needed.ts';
import type { Accounts } from './accounts.ts';
import { isAdministrator } from './administrators.ts';
import { hasSession } from './people.ts';
import type { Person, SetCookies } from './types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; null: no one. Set on the routes of pages. */
    person: Person | null;
  }
}

/** Identifies the signed-in person for every page of a scope. */
export function findPeople(scope: FastifyInstance, accounts: Accounts): void {
  scope.decorateRequest('person', null);
  scope.decorateRequest('viewer', undefined);
  scope.addHook('onRequest', (request, reply) => findPerson(accounts, request, reply));
  scope.addHook('preHandler', (request) => requireSameSession(accounts, request));
}

/**
 * Refuses a form whose sender's session ended while it was read, which may take seconds: a new password ends sessions,
 * and what was sent before it must not act after it.
 */
async function requireSameSession(accounts: Accounts, { method, headers, person }: FastifyRequest): Promise<void> {
  if (method !== 'POST' || person === null) return;
  const now = (await accounts.personOf(headers.cookie))?.person;
  const isSame = now?.sessionId === person.sessionId && now.isAdministrator === person.isAdministrator;
  if (!isSame) throw new SignInNeededError('/portal');
}

/** Identifies the signed-in person. */
export async function findPerson(accounts: Accounts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method === 'POST') accounts.requireRightClock();
  const found = await accounts.personOf(request.headers.cookie);
  if (found === undefined) return;
  request.person = found.person;
  const { id, isAdministrator } = found.person;
  request.viewer = { id, isAdministrator };
  setCookies(reply, found.setCookies);
}

/** Makes the rest of a request that of nobody: the person's sessions have ended. */
export function forgetPerson(request: FastifyRequest): void {
  request.person = null;
  request.viewer = undefined;
}

/** Adds cookies to those that are already set. */
export function setCookies(reply: FastifyReply, cookies: SetCookies): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/**
 * Returns the signed-in person.
 * @throws SignInNeededError when no one is.
 */
export function personOf({ person, method, url }: Pick<FastifyRequest, 'person' | 'method' | 'url'>): Person {
  if (person === null) throw new SignInNeededError(method === 'POST' ? '/portal' : url);
  return person;
}

/**
 * Returns the signed-in administrator. Everyone else gets the answer of a page that does not exist.
 * @throws SignInNeededError when no one is signed in, or an administrator has no second factor yet.
 */
export function administratorOf(request: FastifyRequest): Person {
  const person = personOf(request);
  if (!person.isAdministrator) {
    request.log.warn({ event: 'refused', person: person.id, area: 'administration' }, 'account');
    throw notFound();
  }
  if (!person.hasSecondFactor) throw new SignInNeededError(request.url, '/account/second-factor');
  return person;
}

/** Returns the path of a person's first page after signing in. */
export function homeOf({ isAdministrator }: Pick<Person, 'isAdministrator'>): string {
  return isAdministrator ? '/admin' : '/portal';
}

/** Returns one and the same answer for pages that do not exist and pages that the caller may not see. */
export function notFound(): HttpError {
  return new HttpError(404, textOf(404));
}

/**
 * Returns its argument.
 * @throws a 404 if it is undefined.
 */
export function existing<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

/**
 * Returns what looks again, when it is the turn of a person's act or page, whether they may still do or see it: their
 * session may have ended while it waited, or they may no longer administrate.
 */
export function recheckOf(
  { engine }: Pick<Database, 'engine'>,
  request: FastifyRequest,
): (kysely: Database['kysely']) => Promise<void> {
  const person = personOf(request);
  return async (kysely) => {
    const isSame = (await isAdministrator({ kysely }, person.id)) === person.isAdministrator;
    if (!isSame || !(await hasSession({ engine, kysely }, person))) throw new SignInNeededError(homeOf(person));
  };
}

/** Returns the signed-in administrator, as the audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  return `admin:${personOf(request).email}`;
}
