import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type AccountParts, nameFault, originOf, NewPassword, passwordFault } from '../../people/pages/index.ts';
import { existing, recheckOf, setCookies, findLink } from '../../people/index.ts';
import { Field, Notice } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { type Invitation, acceptInvitation } from '../joining.ts';
import { slugsOf } from '../workspaces.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

type Route = { Params: { token: string } };

interface Faults {
  name?: string | undefined;
  password?: string | undefined;
}

/** Adds the page behind an invitation: joins with the account of its address, or creates one first. */
export function addInvitation(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get<Route>('/invitations/:token', async (request, reply) => {
    const invitation = await invitationOf(deps, request.params.token);
    return invitation === undefined ? sendEnded(reply) : sendInvitation(deps, reply, invitation);
  });

  scope.post<Route>('/invitations/:token', (request, reply) => answerInvitation(deps, request, reply));
}

async function answerInvitation(
  deps: AccountParts & PageKit,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const invitation = await invitationOf(deps, request.params.token);
  if (invitation === undefined) return sendEnded(reply);
  const personId = await deps.accounts.idOf(invitation.email);
  if (personId !== undefined) {
    // The link proves the address, and the session proves the account: the link alone is not enough to join.
    if (request.person?.id !== personId) return sendInvitation(deps, reply, invitation);
    if (
      (await acceptInvitation({ ...deps, recheck: recheckOf(deps.database, request) }, invitation, { personId })) !==
      'joined'
    )
      return sendEnded(reply);
    return reply.redirect('/portal', 303);
  }
  const { email, id } = invitation;
  const form = formOf(request);
  const name = textField(form, 'name', 80);
  const password = form.get('password') ?? '';
  const faults = {
    name: nameFault(name),
    password: await passwordFault(deps, request, { password, chooser: id, words: [email, name] }),
  };
  if (faults.name !== undefined || faults.password !== undefined) {
    return sendInvitation(deps, reply, invitation, faults);
  }
  const from = originOf(deps, request);
  const passwordHash = await deps.accounts.hash(password, from);
  const outcome = await acceptInvitation(deps, invitation, { name, passwordHash });
  if (outcome === 'gone') return sendEnded(reply);
  // The account has been created in the meantime: the page then asks to sign in.
  if (outcome === 'known') return sendInvitation(deps, reply, invitation);
  const signedIn = await deps.accounts.signIn(email, password, { ...from, hasLink: true });
  if (signedIn.kind === 'signed-in') setCookies(reply, signedIn.setCookies);
  return reply.redirect('/portal', 303);
}

async function invitationOf(deps: AccountParts & PageKit, token: string): Promise<Invitation | undefined> {
  const link = await findLink(deps, token);
  return link?.purpose.kind === 'invitation' ? { ...link, purpose: link.purpose } : undefined;
}

async function sendInvitation(
  deps: AccountParts & PageKit,
  reply: FastifyReply,
  { email, purpose }: Invitation,
  faults: Faults = {},
): Promise<FastifyReply> {
  const { person, url } = reply.request;
  const slug = existing((await slugsOf(deps.database, [purpose.workspaceId])).get(purpose.workspaceId));
  const hasAccount = (await deps.accounts.idOf(email)) !== undefined;
  return sendNarrowPage(
    reply,
    { title: 'Invitation', heading: `Join ${slug}`, status: formStatus(faults.name, faults.password) },
    <>
      <p>
        {purpose.invitedBy.name} has invited <strong>{email}</strong> to the workspace <code>{slug}</code> as{' '}
        {purpose.role === 'owner' ? 'an owner' : 'a member'}.
      </p>
      {hasAccount && person?.email !== email ? (
        <Notice>
          <p>
            <a href={`/sign-in?next=${encodeURIComponent(url)}`}>Sign in as {email}</a> to join.
          </p>
        </Notice>
      ) : (
        <PostForm class="stack">
          {hasAccount ? null : <NewPerson faults={faults} />}
          <button class="first">Join</button>
        </PostForm>
      )}
    </>,
  );
}

function sendEnded(reply: FastifyReply): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'This invitation no longer works', status: 404 },
    <p>
      It was used, was withdrawn, or is more than seven days old. If you joined with it, <a href="/sign-in">sign in</a>.
      If not, ask for a new invitation.
    </p>,
  );
}

function NewPerson({ faults }: { faults: Faults }) {
  return (
    <>
      <Field label="Your name" name="name" autocomplete="name" maxLength={80} fault={faults.name} />
      <NewPassword fault={faults.password} />
    </>
  );
}
