import type { AccountParts } from '../../people/pages/index.ts';
import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import { makeLink, type MailedLink, type Role } from '../../people/index.ts';
import { isMember } from '../membership.ts';
import { audited } from '../../kernel/audit/index.ts';
import { EmailField, Notice, PostButton, Select } from '../../kernel/ui/fields.tsx';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import { Moment, waitText } from '../../kernel/ui/times.tsx';
import { actingIn, activeOnly, actorOf, type PageRequest } from './context.ts';
import { Table } from '../../kernel/ui/table.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Roles in a workspace, as a form offers them. */
export const ROLES = [
  { value: 'member', text: 'Member: keys, files, and reports' },
  { value: 'owner', text: 'Owner: also members and the plan' },
] as const satisfies readonly { value: Role; text: string }[];

/** Sends an invitation, or says why not. */
export async function invite(
  deps: AccountParts & PageKit,
  { request, context }: PageRequest,
  email: string,
  role: Role,
): Promise<{ invited: { email: string } } | { emailFault: string }> {
  activeOnly(context);
  const { workspace, person } = context;
  if (await isMember(deps.database, workspace.id, email)) return { emailFault: 'This person is already a member.' };
  const wait = await deps.accounts.throttle.countInTurn(
    [ALLOWANCES.mailFromNetwork, deps.networkOf(request)],
    [ALLOWANCES.invitationByPerson, person.id],
    [ALLOWANCES.invitationByPersonToRecipient, `${person.id} ${email}`],
    [ALLOWANCES.invitationToRecipient, email],
  );
  if (wait !== undefined) return { emailFault: `Too many invitations. Try again in ${waitText(wait)}.` };
  const purpose = { kind: 'invitation', workspaceId: workspace.id, role, invitedBy: person } as const;
  const token = await audited(actingIn(deps, context), actorOf(context), async ({ transaction, appendEntry }) => {
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

/**
 * The link can create an account for the address: only its recipient and the operator may see it, not the person who
 * invites.
 */
export function Invited({
  email,
  isMailed,
  contact,
}: {
  email: string;
  isMailed: boolean;
  contact: string | undefined;
}) {
  return (
    <Notice tone="good">
      {isMailed ? (
        <p>We have sent an invitation to {email}. It is valid for seven days.</p>
      ) : (
        <p>
          This service has no mail server. The invitation link for {email} is in the service's log: search it for "no
          SMTP_URL".
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

interface InvitationsProps {
  invitations: readonly MailedLink[];
  home: string;
  fault: string | undefined;
  /** The link to further open ones. */
  more: { href: string; text: string } | undefined;
}

/** Shows the form for invitations, and the open ones. */
export function Invitations({ invitations, home, fault, more }: InvitationsProps) {
  return (
    <section>
      <h2>Invite someone</h2>
      <PostForm class="row" action={`${home}/members`}>
        <EmailField autocomplete="off" fault={fault} />
        <Select label="Role" name="role" options={ROLES} />
        <button class="first">Invite</button>
      </PostForm>
      {invitations.length === 0 ? null : (
        <Table
          caption="Open invitations"
          rows={invitations}
          more={more}
          columns={[
            { head: 'E-mail address', kind: 'name', cell: ({ email }) => email },
            { head: 'Role', kind: 'word', cell: ({ purpose }) => ('role' in purpose ? purpose.role : undefined) },
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
