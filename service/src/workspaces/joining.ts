import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Workspace } from './workspaces.ts';
import { type MailedLink, useLink, insertPerson, withdrawInvitationsTo } from '../people/index.ts';
import { type Founded, type FoundingParts, foundWithin } from './founding.ts';
import { addMember } from './membership.ts';

/** Undoes a transaction whose outcome is a refusal. */
class UndoneError extends Error {
  override name = 'UndoneError';
}

/** Does an action that a refusal undoes. */
async function undoable<T>(
  deps: ActDeps,
  actor: Actor,
  work: (act: Act, refuse: (outcome: T) => never) => Promise<T>,
): Promise<T> {
  const refusals: T[] = [];
  const refuse = (outcome: T): never => {
    refusals.push(outcome);
    throw new UndoneError();
  };
  try {
    return await audited(deps, actor, (act) => work(act, refuse));
  } catch (error) {
    const [refusal] = refusals;
    if (error instanceof UndoneError && refusal !== undefined) return refusal;
    throw error;
  }
}

/** A person who creates an account. The address is the link's. */
interface Newcomer {
  name: string;
  passwordHash: string;
}

/** The outcome of the last step of a sign-up. A refusal changes nothing: the link stays valid. */
type SignUp =
  | { kind: 'done'; workspace: Workspace }
  | { kind: 'gone' }
  | { kind: 'known' }
  | Exclude<Founded, { kind: 'created' }>;

/** Spends the link of a sign-up, creates the account and its workspace: all or nothing. */
export async function finishSignUp(
  deps: FoundingParts,
  { id: linkId, email }: MailedLink,
  { name, passwordHash, slug }: Newcomer & { slug: string },
): Promise<SignUp> {
  return undoable<SignUp>(deps, `person:${email}`, async (act, refuse) => {
    const { transaction, atMs } = act;
    if (!(await useLink({ kysely: transaction }, linkId))) return refuse({ kind: 'gone' });
    const id = await insertPerson(transaction, { email, name, passwordHash }, atMs);
    if (id === undefined) return refuse({ kind: 'known' });
    const founded = await foundWithin(act, deps, { slug, person: { id, email } });
    if (founded.kind !== 'created') return refuse(founded);
    return { kind: 'done', workspace: founded.workspace };
  });
}

/** An invitation that a person accepts. */
export type Invitation = MailedLink & { purpose: { kind: 'invitation' } };

/**
 * Accepts an invitation, with the account of its address or a new one: one transaction spends the link, creates the
 * account and adds the member.
 */
export async function acceptInvitation(
  deps: ActDeps,
  { id, email, purpose }: Invitation,
  who: { personId: string } | Newcomer,
): Promise<'joined' | 'gone' | 'known'> {
  return undoable<'joined' | 'gone' | 'known'>(deps, `person:${email}`, async (act, refuse) => {
    const { transaction, atMs } = act;
    if (!(await useLink({ kysely: transaction }, id))) return refuse('gone');
    const personId = 'personId' in who ? who.personId : await insertPerson(transaction, { email, ...who }, atMs);
    if (personId === undefined) return refuse('known');
    await addMember(act, purpose.workspaceId, personId, purpose.role);
    // Who is removed later does not return by one that was sent twice.
    await withdrawInvitationsTo({ kysely: transaction }, email, purpose.workspaceId);
    const details = { role: purpose.role, invitedBy: purpose.invitedBy.name };
    await act.appendEntry({ action: 'member.joined', subject: `workspace:${purpose.workspaceId}`, details });
    return 'joined';
  });
}
