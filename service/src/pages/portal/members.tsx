import type { FastifyInstance, FastifyRequest } from 'fastify';

import { notFound } from '../../features/accounts/guard.ts';
import { makeLink, type MailedLink, openInvitations, useLink } from '../../features/accounts/links.ts';
import { changeMember, closeWorkspace, type Member, membersOf } from '../../features/accounts/members.ts';
import { emailOf } from '../account/context.ts';
import { ALLOWANCES } from '../../features/accounts/throttle.ts';
import { audited } from '../../platform/audit/index.ts';
import type { Role } from '../../platform/db/schema.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { Field, Notice, Select } from '../../platform/ui/fields.tsx';
import { formOf, textField } from '../../platform/ui/forms.ts';
import { Moment, waitText } from '../../platform/ui/times.tsx';
import {
  actorOf,
  type PortalDeps,
  type WorkspaceContext,
  type PageRequest,
  contextOf,
  type WorkspaceRoute,
} from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Confirm } from '../../platform/ui/confirm.tsx';
import { Table } from '../../platform/ui/table.tsx';

const HIDDEN = { schema: { hide: true } };
const ROLES = [
  { value: 'member', text: 'Member: decodes, keys, files, and reports' },
  { value: 'owner', text: 'Owner: also members, plan, and closing' },
];

interface MemberRoute {
  Params: { slug: string; id: string };
}

interface Result {
  invited?: { email: string; link: string };
  emailFault?: string;
  failed?: string;
}

/** Adds the page of a workspace's members. */
export function addMembers(scope: FastifyInstance, deps: PortalDeps): void {
  scope.get<WorkspaceRoute>('/portal/:slug/members', HIDDEN, async (request, reply) =>
    sendMembers(deps, { request, reply, context: await contextOf(deps, request) }),
  );

  scope.post<WorkspaceRoute>('/portal/:slug/members', HIDDEN, async (request, reply) => {
    const context = ownerOnly(await contextOf(deps, request));
    const form = formOf(request);
    const email = emailOf(textField(form, 'email', 254));
    const result =
      email === undefined
        ? { emailFault: 'This is not an e-mail address.' }
        : await invite(deps, request, context, { email, form });
    if ('invited' in result) return deps.flash.redirect(reply, `/portal/${context.workspace.slug}/members`, result);
    return sendMembers(deps, { request, reply, context }, result);
  });

  scope.post<MemberRoute>('/portal/:slug/members/:id', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const wanted = formOf(request).get('role');
    const role: Role | undefined = wanted === 'owner' || wanted === 'member' ? wanted : undefined;
    const isLeaving = role === undefined && request.params.id === context.person.id;
    if (!isLeaving) ownerOnly(context);
    const change = { workspaceId: context.workspace.id, userId: request.params.id, role };
    const outcome = await changeMember(deps, change, actorOf(context));
    if (outcome === 'unknown') throw notFound();
    if (outcome === 'last-owner') {
      return sendMembers(
        deps,
        { request, reply, context },
        { failed: 'A workspace needs an owner. Make someone else an owner first.' },
      );
    }
    return reply.redirect(isLeaving ? '/portal' : `/portal/${context.workspace.slug}/members`, 303);
  });

  scope.post<MemberRoute>('/portal/:slug/invitations/:id/withdraw', HIDDEN, async (request, reply) => {
    const context = ownerOnly(await contextOf(deps, request));
    const open = await openInvitations(deps, context.workspace.id);
    const invitation = open.find(({ id }) => id === request.params.id);
    if (invitation === undefined) throw notFound();
    await audited(deps, actorOf(context), async ({ transaction, tell }) => {
      if (!(await useLink({ kysely: transaction }, invitation.id))) return;
      const details = { email: invitation.email };
      await tell({ action: 'invitation.withdrawn', subject: `workspace:${context.workspace.id}`, details });
    });
    return reply.redirect(`/portal/${context.workspace.slug}/members`, 303);
  });

  scope.post<WorkspaceRoute>('/portal/:slug/close', HIDDEN, async (request, reply) => {
    const context = ownerOnly(await contextOf(deps, request));
    if (textField(formOf(request), 'slug', 64) !== context.workspace.slug) {
      return sendMembers(deps, { request, reply, context }, { failed: 'The name does not match. Nothing was closed.' });
    }
    await closeWorkspace(deps, context.workspace, actorOf(context));
    return reply.redirect('/portal', 303);
  });
}

/** @throws a 403 for members who are no owner: they know the workspace, so there is nothing to hide. */
function ownerOnly(context: WorkspaceContext): WorkspaceContext {
  if (context.role !== 'owner') throw new HttpError(403, 'Only an owner of the workspace can do this.');
  return context;
}

async function invite(
  deps: PortalDeps,
  request: FastifyRequest,
  context: WorkspaceContext,
  { email, form }: { email: string; form: URLSearchParams },
): Promise<Result> {
  const { workspace, person } = context;
  const members = await membersOf(deps.database, workspace.id);
  if (members.some((member) => member.email === email)) return { emailFault: 'This person is already a member.' };
  const wait = await deps.accounts.throttle.countInTurn(
    [ALLOWANCES.mailFromNetwork, deps.networkOf(request)],
    [ALLOWANCES.invitationByPerson, person.id],
    [ALLOWANCES.invitationByPersonToRecipient, `${person.id} ${email}`],
    [ALLOWANCES.invitationToRecipient, email],
  );
  if (wait !== undefined) return { emailFault: `Too many invitations. Try again in ${waitText(wait)}.` };
  const role = form.get('role') === 'owner' ? 'owner' : 'member';
  const purpose = { kind: 'invitation', workspaceId: workspace.id, role, invitedBy: person.name } as const;
  const token = await audited(deps, actorOf(context), async ({ transaction, tell }) => {
    await tell({ action: 'member.invited', subject: `workspace:${workspace.id}`, details: { email, role } });
    return makeLink({ database: { kysely: transaction }, clock: deps.clock }, email, purpose);
  });
  const link = `${deps.baseUrl()}/invitations/${token}`;
  deps.mailer.send({
    to: email,
    subject: 'Invitation to a workspace on Marque',
    before: [
      'You are invited to a workspace on Marque, a service that decodes vehicle identification numbers.',
      `Workspace: ${workspace.slug}\nInvited by: ${person.name}, ${person.email}`,
      'Open this link to join:',
    ].join('\n\n'),
    link,
    after: 'The link is valid for seven days. If you do not know this person, ignore this mail.',
  });
  return { invited: { email, link } };
}

async function sendMembers(deps: PortalDeps, pageRequest: PageRequest, failed?: Result) {
  const result = failed ?? deps.flash.take<Result>(pageRequest.request, pageRequest.reply) ?? {};
  const { context } = pageRequest;
  const [members, invitations] = await Promise.all([
    membersOf(deps.database, context.workspace.id),
    openInvitations(deps, context.workspace.id),
  ]);
  const isOwner = context.role === 'owner';
  return sendPortalPage(pageRequest, {
    tab: '/members',
    title: 'Members',
    status: result.emailFault === undefined && result.failed === undefined ? 200 : 422,
    children: (
      <>
        {result.failed === undefined ? null : (
          <Notice tone="bad">
            <p>{result.failed}</p>
          </Notice>
        )}
        {result.invited === undefined ? null : <Invited {...result.invited} isMailed={deps.mailer.isConfigured} />}
        <MemberTable members={members} context={context} />
        {isOwner ? (
          <Invitations invitations={invitations} slug={context.workspace.slug} fault={result.emailFault} />
        ) : null}
        {isOwner ? <CloseWorkspace slug={context.workspace.slug} /> : null}
      </>
    ),
  });
}

function Invited({ email, link, isMailed }: { email: string; link: string; isMailed: boolean }) {
  return (
    <Notice tone="good">
      <p>
        {isMailed
          ? `We have sent an invitation to ${email}.`
          : `This service has no mail server. Send this link to ${email} yourself.`}{' '}
        It is valid for seven days.
      </p>
      {isMailed ? null : (
        <div class="copyable">
          <p class="key" id="invitation-link">
            {link}
          </p>
          <button type="button" data-copy="invitation-link" hidden>
            Copy
          </button>
        </div>
      )}
    </Notice>
  );
}

function MemberTable({ members, context }: { members: readonly Member[]; context: WorkspaceContext }) {
  return (
    <Table
      rows={members}
      columns={[
        { head: 'Name', kind: 'name', cell: ({ name }) => name },
        { head: 'E-mail address', cell: ({ email }) => email },
        { head: 'Role', kind: 'word', cell: ({ role }) => role },
        { head: 'Since (UTC)', cell: ({ sinceMs }) => <Moment ms={sinceMs} /> },
        { head: 'Actions', kind: 'actions', cell: (member) => <MemberActions member={member} context={context} /> },
      ]}
    />
  );
}

function MemberActions({ member, context }: { member: Member; context: WorkspaceContext }) {
  const isSelf = member.userId === context.person.id;
  if (context.role !== 'owner' && !isSelf) return null;
  const path = `/portal/${context.workspace.slug}/members/${member.userId}`;
  const other = member.role === 'owner' ? 'member' : 'owner';
  return (
    <>
      {context.role === 'owner' && !isSelf ? (
        <form method="post" action={path}>
          <button class="small" name="role" value={other} aria-label={`Make ${member.name} ${other}`}>
            Make {other}
          </button>
        </form>
      ) : null}
      <Confirm
        id={`remove-${member.userId}`}
        label={isSelf ? 'Leave' : 'Remove'}
        act={isSelf ? 'Leave the workspace' : `Remove ${member.name}`}
        says={`${isSelf ? 'You lose' : `${member.name} loses`} access to this workspace at once. Keys keep working: revoke those that should not.`}
        action={path}
        sends={['role', 'none']}
        isSmall
      />
    </>
  );
}

function Invitations(props: { invitations: readonly MailedLink[]; slug: string; fault: string | undefined }) {
  const { invitations, slug, fault } = props;
  return (
    <section>
      <h2>Invite someone</h2>
      <form class="row" method="post" action={`/portal/${slug}/members`}>
        <Field label="E-mail address" name="email" type="email" maxLength={254} fault={fault} />
        <Select label="Role" name="role" options={ROLES} />
        <button class="first">Invite</button>
      </form>
      {invitations.length === 0 ? null : (
        <Table
          caption="Open invitations"
          rows={invitations}
          columns={[
            { head: 'E-mail address', kind: 'name', cell: ({ email }) => email },
            { head: 'Valid until (UTC)', cell: ({ expiresAtMs }) => <Moment ms={expiresAtMs} /> },
            {
              head: 'Actions',
              kind: 'actions',
              cell: ({ id, email }) => (
                <form method="post" action={`/portal/${slug}/invitations/${id}/withdraw`}>
                  <button class="small" aria-label={`Withdraw the invitation of ${email}`}>
                    Withdraw
                  </button>
                </form>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function CloseWorkspace({ slug }: { slug: string }) {
  return (
    <section>
      <h2>Close the workspace</h2>
      <p>All keys stop working, and all members lose access.</p>
      <Confirm
        id="close-workspace"
        label="Close the workspace"
        act={`Close the workspace ${slug}`}
        says="All its keys stop working within two seconds, all members lose access, and its name stays taken. This cannot be undone."
        action={`/portal/${slug}/close`}
      >
        <Field label={`Type ${slug} to confirm`} name="slug" id="close-slug" isMono maxLength={64} />
      </Confirm>
    </section>
  );
}
