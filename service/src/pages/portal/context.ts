import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Subscriber } from '../../features/access/index.ts';
import { workspaceLimit } from '../../features/access/index.ts';
import type { Accounts } from '../../features/accounts/accounts.ts';
import { notFound, personOf } from '../../features/accounts/guard.ts';
import type { LinkMailer } from '../../features/accounts/mail.ts';
import { membershipIn, type Membership } from '../../features/accounts/members.ts';
import type { AccountPagesDeps } from '../account/index.ts';
import type { Person } from '../../features/accounts/types.ts';
import type { Billing } from '../../features/billing/billing.ts';
import type { OpenRateLimit } from '../../platform/http/burst.ts';
import type { Actor } from '../../platform/audit/index.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Corrections } from '../../features/corrections/index.ts';
import type { DecodeDeps } from '../../features/decode/decode-for.ts';
import type { Suggestions } from '../../features/decode/suggestions.ts';
import type { Idempotency } from '../../features/usage/index.ts';
import type { WebhookParts } from '../../features/webhooks/index.ts';

/** What the portal's pages need. */
export interface PortalDeps extends AccountPagesDeps, DecodeDeps {
  idempotency: Pick<Idempotency, 'begin' | 'decodeOf'>;
  accounts: Accounts;
  mailer: LinkMailer;
  config: Config;
  corrections: Corrections;
  /** Undefined: plans are not paid for here. */
  billing: Billing | undefined;
  webhooks: WebhookParts;
  suggestions: Pick<Suggestions, 'for'>;
  rateLimit: OpenRateLimit;
  /** The worker of files: woken when one has come in. */
  files: { wake: () => void };
}

/** A route below a workspace. */
export interface WorkspaceRoute {
  Params: { slug: string };
}

interface WorkspaceParams {
  params: WorkspaceRoute['Params'];
}

/** Who asks, and in which workspace. */
export interface WorkspaceContext extends Membership {
  person: Person;
  /** Decodes a month; null: no limit. */
  limit: number | null;
}

/** A reply for a page of a workspace. */
export interface PageRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  context: WorkspaceContext;
}

/**
 * The workspace of a request and who asks.
 * @throws SignInNeededError when nobody is signed in; a 404 when the workspace is none of theirs, or is not there.
 */
export async function contextOf(
  deps: PortalDeps,
  request: Pick<FastifyRequest, 'person' | 'method' | 'url' | 'log'> & WorkspaceParams,
): Promise<WorkspaceContext> {
  const person = personOf(request);
  const { slug } = request.params;
  const membership = await membershipIn(deps.database, person.id, slug);
  if (membership === undefined) {
    request.log.warn({ event: 'refused', person: person.id, area: 'workspace' }, 'account');
    throw notFound();
  }
  const limit = workspaceLimit(membership.workspace, deps.config.planLimits, deps.clock());
  return { ...membership, person, limit };
}

/** A member as the audit log names them. */
export function actorOf({ person }: Pick<WorkspaceContext, 'person'>): Actor {
  return `person:${person.email}`;
}

/** The workspace as a caller: decodes in the portal count for it, without a key. */
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
