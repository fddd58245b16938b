import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { audited } from '../../platform/audit/index.ts';
import { Field, Notice } from '../../platform/ui/fields.tsx';
import { formOf, textField } from '../../platform/ui/forms.ts';
import { sendPage } from '../../platform/ui/html.tsx';
import { notFound, setCookies, viewerOf } from '../../features/accounts/guard.ts';
import { findLink, type MailedLink, useLink } from '../../features/accounts/links.ts';
import { addMember } from '../../features/accounts/members.ts';
import type { AccountPagesDeps } from './context.ts';
import { NewPassword, passwordFault } from './passwords.tsx';

const HIDDEN = { schema: { hide: true } };

type Invitation = MailedLink & { purpose: { kind: 'invitation' } };
type Route = { Params: { token: string } };

/** Adds the page behind an invitation: joins with the account of the address, or makes one first. */
export function addInvitation(scope: FastifyInstance, deps: AccountPagesDeps): void {
  scope.get<Route>('/invitations/:token', HIDDEN, async (request, reply) => {
    const invitation = await invitationOf(deps, request.params.token);
    return sendInvitation(deps, request, reply, invitation, {});
  });

  scope.post<Route>('/invitations/:token', HIDDEN, async (request, reply) => {
    const invitation = await invitationOf(deps, request.params.token);
    const userId = await deps.accounts.idOf(invitation.email);
    if (userId !== undefined) {
      // The link proves the address, the session the account: whoever has only the link joins nothing.
      if (request.person?.id !== userId) return sendInvitation(deps, request, reply, invitation, {});
      await join(deps, invitation, userId);
      return reply.redirect('/portal', 303);
    }
    const form = formOf(request);
    const name = textField(form, 'name', 80);
    const password = form.get('password') ?? '';
    const faults = {
      name: name === '' ? 'Say how others will know you.' : undefined,
      password: await passwordFault(password, [invitation.email, name]),
    };
    if (faults.name !== undefined || faults.password !== undefined) {
      return sendInvitation(deps, request, reply, invitation, faults);
    }
    await join(deps, invitation, await deps.accounts.create(invitation.email, name, password));
    const from = { address: deps.networkOf(request), userAgent: request.headers['user-agent'] ?? '' };
    const signedIn = await deps.accounts.signIn(invitation.email, password, from);
    if (signedIn.kind === 'signed-in') setCookies(reply, signedIn.setCookies);
    return reply.redirect('/portal', 303);
  });
}

async function invitationOf(deps: AccountPagesDeps, token: string): Promise<Invitation> {
  const link = await findLink(deps, token);
  if (link?.purpose.kind !== 'invitation') throw notFound();
  return { ...link, purpose: link.purpose };
}

async function join(deps: AccountPagesDeps, { id, email, purpose }: Invitation, userId: string): Promise<void> {
  const hasJoined = await audited(deps, `person:${email}`, async (act) => {
    if (!(await useLink({ kysely: act.transaction }, id))) return false;
    await addMember(act, purpose.workspaceId, userId, purpose.role);
    const details = { role: purpose.role, invitedBy: purpose.invitedBy };
    await act.tell({ action: 'member.joined', subject: `workspace:${purpose.workspaceId}`, details });
    return true;
  });
  if (!hasJoined) throw notFound();
}

async function sendInvitation(
  deps: AccountPagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, purpose }: Invitation,
  faults: { name?: string | undefined; password?: string | undefined },
): Promise<FastifyReply> {
  const workspace = await deps.database.kysely
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', purpose.workspaceId)
    .executeTakeFirstOrThrow();
  const hasAccount = (await deps.accounts.idOf(email)) !== undefined;
  const isSignedIn = request.person?.email === email;
  const isFaulty = faults.name !== undefined || faults.password !== undefined;
  return sendPage(
    reply,
    {
      title: 'Invitation',
      viewer: viewerOf(request),
      width: 'narrow',
      children: (
        <>
          <h1>Join {workspace.slug}</h1>
          <p>
            {purpose.invitedBy} invites <strong>{email}</strong> to the workspace <code>{workspace.slug}</code> as{' '}
            {purpose.role === 'owner' ? 'an owner' : 'a member'}.
          </p>
          {hasAccount && !isSignedIn ? (
            <Notice>
              <p>
                <a href={`/sign-in?next=${encodeURIComponent(request.url)}`}>Sign in as {email}</a> to join.
              </p>
            </Notice>
          ) : (
            <form class="stack" method="post">
              {hasAccount ? null : <NewPerson faults={faults} />}
              <button class="first">Join</button>
            </form>
          )}
        </>
      ),
    },
    isFaulty ? 422 : 200,
  );
}

function NewPerson({ faults }: { faults: { name?: string | undefined; password?: string | undefined } }) {
  return (
    <>
      <Field label="Your name" name="name" autocomplete="name" maxLength={80} fault={faults.name} />
      <NewPassword fault={faults.password} />
    </>
  );
}
