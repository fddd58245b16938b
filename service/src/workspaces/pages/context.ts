import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { limitOf, type Subscriber, tenantOf, workspaceSubject } from '../index.ts';
import type { Database } from '../../kernel/db/index.ts';
import { monthOf } from '../../kernel/db/month.ts';
import { hasSession, notFound, personOf, type Person } from '../../people/index.ts';
import { membershipIn, type Membership } from '../membership.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import { pageTurns } from '../../kernel/ui/page-turns.ts';
import { SignInNeededError } from '../../kernel/ui/sign-in-needed.ts';
import type { ActDeps, Actor } from '../../kernel/audit/index.ts';

/** The person who makes the request, and the workspace. */
export interface WorkspaceContext extends Membership {
  person: Person;
  /** Path of the workspace's pages. */
  home: string;
  /** Decodes a month; null: no limit. */
  limit: number | null;
  /** Decodes charged this month, all keys together; 0 without a limit, where no one counts them. */
  used: number;
  /** The end of the month, in epoch milliseconds. */
  resetAtMs: number;
}

/** A route below a workspace. Parameters and queries are text, each name once. */
interface WorkspaceRoute {
  Params: { readonly slug: string; readonly [name: string]: string };
  Querystring: { readonly [name: string]: string };
}

/** A request for a page of a workspace, from one of its members. */
export interface PageRequest {
  request: FastifyRequest<WorkspaceRoute>;
  reply: FastifyReply;
  context: WorkspaceContext;
  /** Waits for the turn in which the next piece of the page is made, and throws when nobody waits for it any more. */
  turn: NextTurn;
}

type Handler = (page: PageRequest) => FastifyReply | Promise<FastifyReply>;

/** Adds routes below `/portal/:slug` for members of that workspace; for everyone else they do not exist. */
export function workspaceRoutes(scope: FastifyInstance, deps: PageKit) {
  const add =
    (method: 'GET' | 'POST') =>
    (path: string, handle: Handler, { bodyLimit }: { bodyLimit?: number } = {}): void => {
      scope.route<WorkspaceRoute>({
        method,
        url: `/portal/:slug${path}`,
        ...(bodyLimit !== undefined && { bodyLimit }),
        config: { ownTurns: true },
        handler: async (request, reply) => {
          const context = await contextOf(deps, request);
          const tenant = tenantOf(callerOf(context));
          const recheck = (): Promise<void> => recheckIn(deps.database, context)(deps.database.kysely);
          const turn = pageTurns(deps.turns, { request, reply }, { tenant, recheck });
          request.pageTurn = turn;
          // A form first waits for its body, or for what it changes.
          if (method === 'GET') await turn();
          return handle({ request, reply, context, turn });
        },
      });
    };
  return { get: add('GET'), post: add('POST') };
}

export type WorkspaceRoutes = ReturnType<typeof workspaceRoutes>;

/**
 * Returns the workspace of a request, and the person who makes it.
 * @throws SignInNeededError when nobody is signed in; a 404 when the workspace is not theirs, or does not exist.
 */
async function contextOf(deps: PageKit, request: FastifyRequest<WorkspaceRoute>): Promise<WorkspaceContext> {
  const person = personOf(request);
  const { slug } = request.params;
  const membership = await membershipIn(deps.database, person.id, slug);
  if (membership === undefined) {
    request.log.warn({ event: 'refused', person: person.id, area: 'workspace' }, 'account');
    throw notFound();
  }
  const nowMs = deps.clock();
  const limit = limitOf(membership.workspace, deps.config.planLimits, nowMs);
  const used = limit === null ? 0 : await deps.used(workspaceSubject(membership.workspace.id));
  return { ...membership, person, home: `/portal/${slug}`, limit, used, resetAtMs: monthOf(nowMs).endMs };
}

/** @throws a 403 for members who are not owners: they know the workspace, so there is nothing to hide. */
export function ownerOnly({ role }: WorkspaceContext): void {
  if (role !== 'owner') throw new HttpError(403, 'Only an owner of the workspace can do this.');
}

/** @throws a 403 in a suspended workspace, for what decodes, sends, pays, or makes a key. */
export function activeOnly({ workspace }: WorkspaceContext): void {
  if (workspace.suspendedAtMs !== null) throw new HttpError(403, 'This workspace is suspended.');
}

/** Returns a member as the audit log names them. */
export function actorOf({ person }: Pick<WorkspaceContext, 'person'>): Actor {
  return `person:${person.email}`;
}

/**
 * Returns dependencies of a member's acts: one that waited, also for its body, is refused if the session has ended
 * meanwhile, the person was removed, or what they may do has changed.
 */
export function actingIn<Deps extends ActDeps>(deps: Deps, context: WorkspaceContext): Deps {
  return { ...deps, recheck: recheckIn(deps.database, context) };
}

/** Returns what looks again whether a member may still act, or see what they asked for. It throws if not. */
export function recheckIn(
  { engine }: Pick<Database, 'engine'>,
  { person, role, workspace }: WorkspaceContext,
): (kysely: Database['kysely']) => Promise<void> {
  return async (kysely) => {
    if (!(await hasSession({ engine, kysely }, person))) throw new SignInNeededError('/portal');
    const own = await membershipIn({ kysely }, person.id, workspace.slug);
    if (own === undefined) throw notFound();
    if (own.role === role && own.workspace.suspendedAtMs === workspace.suspendedAtMs) return;
    throw new HttpError(409, 'The workspace has just been changed by someone else. Look at it again.');
  };
}

/** Returns the workspace as a caller: decodes in the portal count for it, without a key. */
export function callerOf({ workspace, limit }: WorkspaceContext): Subscriber {
  return {
    kind: 'subscriber',
    workspaceId: workspace.id,
    slug: workspace.slug,
    plan: workspace.plan,
    limit,
    keyId: '',
  };
}
