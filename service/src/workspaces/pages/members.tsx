import type { FastifyInstance, FastifyReply } from 'fastify';

import { type AccountParts, emailOf, NO_EMAIL, nameFault } from '../../people/pages/index.ts';
import { existing, notFound, openInvitation, openInvitations, useLink } from '../../people/index.ts';
import { changeMember, closeWorkspace, type Member, membersOf } from '../membership.ts';
import { renameWorkspace } from '../index.ts';
import { audited } from '../../kernel/audit/index.ts';
import { pageOf } from '../../kernel/lists.ts';
import { Field, NoticeText, PostButton } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, given, textField } from '../../kernel/ui/forms.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import { actingIn, actorOf, ownerOnly, type PageRequest, type WorkspaceContext, workspaceRoutes } from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { invite, Invitations, Invited, ROLES } from './invite.tsx';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Members, and open invitations, on a page: the forms below stay in reach. */
const PAGE = 25;
const INVITATIONS = 10;

interface Result {
  invited?: { email: string };
  emailFault?: string;
  nameFault?: string;
  renamed?: string;
  failed?: string;
}

/** Adds the page of a workspace's members. */
export function addMembers(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/members', (page) => sendMembers(deps, page));

  routes.post('/members', async (page) => {
    ownerOnly(page.context);
    const form = formOf(page.request);
    const email = emailOf(textField(form, 'email', 254));
    const result =
      email === undefined
        ? { emailFault: NO_EMAIL }
        : await invite(deps, page, email, form.get('role') === 'owner' ? 'owner' : 'member');
    if ('invited' in result) return deps.flash.redirect(page.reply, `${page.context.home}/members`, result);
    return sendMembers(deps, page, result);
  });

  routes.post('/members/:id', (page) => changeRole(deps, page));

  routes.post('/invitations/:id/withdraw', async ({ request, reply, context }) => {
    ownerOnly(context);
    const { id = '' } = request.params;
    const invitation = existing(await openInvitation(deps, context.workspace.id, id));
    await audited(actingIn(deps, context), actorOf(context), async ({ transaction, appendEntry }) => {
      if (!(await useLink({ kysely: transaction }, invitation.id))) return;
      const details = { email: invitation.email };
      await appendEntry({ action: 'invitation.withdrawn', subject: `workspace:${context.workspace.id}`, details });
    });
    return reply.redirect(`${context.home}/members`, 303);
  });

  routes.post('/name', async (page) => {
    const { context, request, reply } = page;
    ownerOnly(context);
    const name = textField(formOf(request), 'name', 80);
    const fault = nameFault(name);
    if (fault !== undefined) return sendMembers(deps, page, { nameFault: fault });
    await renameWorkspace(actingIn(deps, context), context.workspace, name, actorOf(context));
    return deps.flash.redirect(reply, `${context.home}/members`, { renamed: name });
  });

  routes.post('/close', async (page) => {
    const { context, reply } = page;
    ownerOnly(context);
    if (textField(formOf(page.request), 'slug', 64) !== context.workspace.slug) {
      return sendMembers(deps, page, { failed: 'The name does not match. Nothing was closed.' });
    }
    await closeWorkspace(actingIn(deps, context), context.workspace, actorOf(context));
    const done = `The workspace ${context.workspace.slug} is closed.`;
    return deps.flash.redirect(reply, '/portal/workspaces', { done });
  });
}

/** Gives a member another role, or none: then they are removed, or leave. */
async function changeRole(deps: AccountParts & PageKit, page: PageRequest): Promise<FastifyReply> {
  const { context, reply } = page;
  const { id: userId = '' } = page.request.params;
  const choice = formOf(page.request).get('role');
  const role = ROLES.find(({ value }) => value === choice)?.value;
  // An unknown choice must never remove anyone.
  if (role === undefined && choice !== 'none') return sendMembers(deps, page, { failed: 'Choose a role.' });
  const isLeaving = role === undefined && userId === context.person.id;
  if (!isLeaving) ownerOnly(context);
  const change = { workspaceId: context.workspace.id, userId, role };
  const outcome = await changeMember(actingIn(deps, context), change, actorOf(context));
  if (outcome === 'unknown') throw notFound();
  if (outcome === 'last-owner') {
    return sendMembers(deps, page, { failed: 'A workspace needs an owner. Make someone else an owner first.' });
  }
  if (!isLeaving) return reply.redirect(`${context.home}/members`, 303);
  return deps.flash.redirect(reply, '/portal/workspaces', { done: `You have left ${context.workspace.name}.` });
}

async function sendMembers(deps: AccountParts & PageKit, page: PageRequest, failed?: Result): Promise<FastifyReply> {
  const result = failed ?? deps.flash.take<Result>(page.reply) ?? {};
  const { context } = page;
  const after = given(page.request.query['after'], 36);
  const [found, invitations] = await Promise.all([
    membersOf(deps.database, context.workspace.id, { limit: PAGE + 1, after }),
    openInvitations(deps, context.workspace.id, {
      limit: INVITATIONS + 1,
      after: given(page.request.query['invitation'], 64),
    }),
  ]);
  const { page: members, last } = pageOf(found, PAGE);
  const { page: shown, last: lastShown } = pageOf(invitations, INVITATIONS);
  return sendPortalPage(page, {
    tab: '/members',
    title: 'Members',
    status: formStatus(result.emailFault, result.nameFault, result.failed),
    children: (
      <>
        <NoticeText tone="bad" text={result.failed} />
        <NoticeText
          tone="good"
          text={result.renamed === undefined ? undefined : `The workspace is now called ${result.renamed}.`}
        />
        {result.invited === undefined ? null : (
          <Invited {...result.invited} isMailed={deps.mailer.isConfigured} contact={deps.config.contact} />
        )}
        <Table
          rows={members}
          empty="No further members."
          more={last && { href: `${context.home}/members?after=${last.userId}`, text: 'Further members' }}
          columns={[
            { head: 'Name', kind: 'name', cell: ({ name }) => name },
            { head: 'E-mail address', cell: ({ email }) => email },
            { head: 'Role', kind: 'word', cell: ({ role }) => role },
            { head: 'Since', cell: ({ sinceMs }) => <Moment ms={sinceMs} /> },
            { head: 'Actions', kind: 'actions', cell: (member) => <MemberActions member={member} context={context} /> },
          ]}
        />
        {context.role === 'owner' ? (
          <>
            <Invitations
              invitations={shown}
              home={context.home}
              fault={result.emailFault}
              more={
                lastShown && {
                  href: `${context.home}/members?invitation=${lastShown.id}`,
                  text: 'Further invitations',
                }
              }
            />
            <Rename context={context} fault={result.nameFault} />
            <CloseWorkspace context={context} isSold={deps.config.billing !== undefined} />
          </>
        ) : null}
      </>
    ),
  });
}

function MemberActions({ member, context }: { member: Member; context: WorkspaceContext }) {
  const isSelf = member.userId === context.person.id;
  if (context.role !== 'owner' && !isSelf) return null;
  const path = `${context.home}/members/${member.userId}`;
  const other = member.role === 'owner' ? 'member' : 'owner';
  return (
    <>
      {context.role === 'owner' && !isSelf ? (
        <PostButton
          action={path}
          label={`Make ${other}`}
          sends={['role', other]}
          look="small"
          says={`Make ${member.name} ${other}`}
        />
      ) : null}
      <Confirm
        id={`remove-${member.userId}`}
        label={isSelf ? 'Leave' : 'Remove'}
        act={isSelf ? 'Leave the workspace' : `Remove ${member.name}`}
        says={`${isSelf ? 'You lose' : `${member.name} loses`} access to this workspace at once. Keys keep working, and webhooks keep sending: revoke or remove those that should not.`}
        action={path}
        sends={['role', 'none']}
        isSmall
      />
    </>
  );
}

function Rename({ context: { home, workspace }, fault }: { context: WorkspaceContext; fault: string | undefined }) {
  return (
    <section>
      <h2>Name of the workspace</h2>
      <PostForm class="row" action={`${home}/name`}>
        <Field
          label="Name"
          name="name"
          value={workspace.name}
          maxLength={80}
          hint={`What its members see. Addresses, headers, and commands keep ${workspace.slug}.`}
          fault={fault}
        />
        <button>Rename</button>
      </PostForm>
    </section>
  );
}

function CloseWorkspace({ context: { home, workspace }, isSold }: { context: WorkspaceContext; isSold: boolean }) {
  const { slug } = workspace;
  return (
    <section>
      <h2>Close the workspace</h2>
      <p>
        {isSold
          ? 'All keys stop working, all members lose access, and a paid subscription ends within a minute.'
          : 'All keys stop working, and all members lose access.'}
      </p>
      <Confirm
        id="close-workspace"
        label="Close the workspace"
        act={`Close the workspace ${slug}`}
        says="All its keys stop working within two seconds, all members lose access, and its name stays taken. This cannot be undone."
        action={`${home}/close`}
      >
        <Field label={`Type ${slug} to confirm`} name="slug" id="close-slug" isMono maxLength={64} />
      </Confirm>
    </section>
  );
}
