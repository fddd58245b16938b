import type { FastifyInstance, FastifyReply } from 'fastify';

import { type AccountParts, emailOf, nameFault } from '../../people/pages/index.ts';
import {
  existing,
  notFound,
  makeLink,
  type MailedLink,
  openInvitations,
  useLink,
  ALLOWANCES,
  type Role,
} from '../../people/index.ts';
import { changeMember, closeWorkspace, type Member, membershipIn, membersOf } from '../membership.ts';
import { renameWorkspace } from '../index.ts';
import { audited } from '../../kernel/audit/index.ts';
import { EmailField, Field, Notice, NoticeText, PostButton, Select } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import { Moment, waitText } from '../../kernel/ui/times.tsx';
import { actorOf, ownerOnly, type PageRequest, type WorkspaceContext, workspaceRoutes } from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

const ROLES = [
  { value: 'member', text: 'Member: decodes, keys, files, and reports' },
  { value: 'owner', text: 'Owner: also members, plan, and closing' },
] as const satisfies readonly { value: Role; text: string }[];

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
        ? { emailFault: 'This is not an e-mail address.' }
        : await invite(deps, page, email, form.get('role') === 'owner' ? 'owner' : 'member');
    if ('invited' in result) return deps.flash.redirect(page.reply, `${page.context.home}/members`, result);
    return sendMembers(deps, page, result);
  });

  routes.post('/members/:id', async (page) => {
    const { context, reply } = page;
    const { id: userId = '' } = page.request.params;
    const role = ROLES.find(({ value }) => value === formOf(page.request).get('role'))?.value;
    const isLeaving = role === undefined && userId === context.person.id;
    if (!isLeaving) ownerOnly(context);
    const change = { workspaceId: context.workspace.id, userId, role };
    const outcome = await changeMember(deps, change, actorOf(context));
    if (outcome === 'unknown') throw notFound();
    if (outcome === 'last-owner') {
      return sendMembers(deps, page, { failed: 'A workspace needs an owner. Make someone else an owner first.' });
    }
    return reply.redirect(isLeaving ? '/portal' : `${context.home}/members`, 303);
  });

  routes.post('/invitations/:id/withdraw', async ({ request, reply, context }) => {
    ownerOnly(context);
    const open = await openInvitations(deps, context.workspace.id);
    const invitation = existing(open.find(({ id }) => id === request.params['id']));
    await audited(deps, actorOf(context), async ({ transaction, appendEntry }) => {
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
    await renameWorkspace(deps, context.workspace, name, actorOf(context));
    return deps.flash.redirect(reply, `${context.home}/members`, { renamed: name });
  });

  routes.post('/close', async (page) => {
    const { context, reply } = page;
    ownerOnly(context);
    if (textField(formOf(page.request), 'slug', 64) !== context.workspace.slug) {
      return sendMembers(deps, page, { failed: 'The name does not match. Nothing was closed.' });
    }
    await closeWorkspace(deps, context.workspace, actorOf(context));
    return reply.redirect('/portal', 303);
  });
}

async function invite(
  deps: AccountParts & PageKit,
  { request, context }: PageRequest,
  email: string,
  role: Role,
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
  const purpose = { kind: 'invitation', workspaceId: workspace.id, role, invitedBy: person } as const;
  const token = await audited(deps, actorOf(context), async ({ transaction, appendEntry }) => {
    // A removal that came first has withdrawn what this person sent, and this one would outlive it.
    const own = await membershipIn({ kysely: transaction }, person.id, workspace.slug);
    if (own?.role !== 'owner') throw notFound();
    await appendEntry({ action: 'member.invited', subject: `workspace:${workspace.id}`, details: { email, role } });
    return makeLink({ database: { kysely: transaction }, clock: deps.clock }, email, purpose);
  });
  const link = `${deps.baseUrl()}/invitations/${token}`;
  deps.mailer.send({
    to: email,
    subject: 'Invitation to a workspace on Marque',
    before: [
      'You are invited to a workspace on Marque, a service that decodes vehicle identification numbers.',
      `Workspace: ${workspace.name}\nInvited by: ${person.name}, ${person.email}`,
      'Open this link to join:',
    ].join('\n\n'),
    link,
    after: 'The link is valid for seven days. If you do not know this person, ignore this e-mail.',
  });
  return { invited: { email } };
}

async function sendMembers(deps: AccountParts & PageKit, page: PageRequest, failed?: Result): Promise<FastifyReply> {
  const result = failed ?? deps.flash.take<Result>(page.reply) ?? {};
  const { context } = page;
  const [members, invitations] = await Promise.all([
    membersOf(deps.database, context.workspace.id),
    openInvitations(deps, context.workspace.id),
  ]);
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
            <Invitations invitations={invitations} home={context.home} fault={result.emailFault} />
            <Rename context={context} fault={result.nameFault} />
            <CloseWorkspace context={context} />
          </>
        ) : null}
      </>
    ),
  });
}

/**
 * The link can create an account for the address: only its recipient and the operator may see it, not the person who
 * invites.
 */
function Invited({ email, isMailed, contact }: { email: string; isMailed: boolean; contact: string | undefined }) {
  return (
    <Notice tone="good">
      {isMailed ? (
        <p>We have sent an invitation to {email}. It is valid for seven days.</p>
      ) : (
        <p>
          This service has no mail server. The invitation link for {email} is in the service's log: in the log, search
          for "no SMTP_URL".
          {contact === undefined ? null : (
            <>
              {' '}
              If you do not run the service, <AskOperator contact={contact} />.
            </>
          )}{' '}
          The link is valid for seven days.
        </p>
      )}
    </Notice>
  );
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
        says={`${isSelf ? 'You lose' : `${member.name} loses`} access to this workspace at once. Keys keep working: revoke those that should not.`}
        action={path}
        sends={['role', 'none']}
        isSmall
      />
    </>
  );
}

function Invitations(props: { invitations: readonly MailedLink[]; home: string; fault: string | undefined }) {
  const { invitations, home, fault } = props;
  return (
    <section>
      <h2>Invite someone</h2>
      <form class="row" method="post" action={`${home}/members`}>
        <EmailField autocomplete="off" fault={fault} />
        <Select label="Role" name="role" options={ROLES} />
        <button class="first">Invite</button>
      </form>
      {invitations.length === 0 ? null : (
        <Table
          caption="Open invitations"
          rows={invitations}
          columns={[
            { head: 'E-mail address', kind: 'name', cell: ({ email }) => email },
            { head: 'Valid until', cell: ({ expiresAtMs }) => <Moment ms={expiresAtMs} /> },
            {
              head: 'Actions',
              kind: 'actions',
              cell: ({ id, email }) => (
                <PostButton
                  action={`${home}/invitations/${id}/withdraw`}
                  label="Withdraw"
                  look="small"
                  says={`Withdraw the invitation of ${email}`}
                />
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function Rename({ context: { home, workspace }, fault }: { context: WorkspaceContext; fault: string | undefined }) {
  return (
    <section>
      <h2>Name of the workspace</h2>
      <form class="row" method="post" action={`${home}/name`}>
        <Field
          label="Name"
          name="name"
          value={workspace.name}
          maxLength={80}
          hint={`What its members see. Addresses, headers, and commands keep ${workspace.slug}.`}
          fault={fault}
        />
        <button>Rename</button>
      </form>
    </section>
  );
}

function CloseWorkspace({ context: { home, workspace } }: { context: WorkspaceContext }) {
  const { slug } = workspace;
  return (
    <section>
      <h2>Close the workspace</h2>
      <p>All keys stop working, and all members lose access.</p>
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
