import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type AccountResult, ADDRESS, Close, Identity, Sessions } from './account-views.tsx';
import { type AccountParts, emailOf, NO_EMAIL, nameFault } from './context.ts';
import { sendLinkEnded, sendLinkSent } from './link-sent.tsx';
import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { SignInNeededError } from '../../kernel/ui/sign-in-needed.ts';
import { tooManyText } from '../../kernel/ui/times.tsx';
import { changeAddress, mailProof } from '../address.ts';
import { noteChangeIn } from '../changes.ts';
import { forgetPerson, personOf, setCookies } from '../guard.ts';
import { endSession, hasSession, isPasswordOf, removePerson, sessionsOf } from '../people.ts';
import { setPassword } from '../resets.ts';
import { CurrentPassword, NewPassword, passwordFault } from './passwords.tsx';
import { refusal } from './second-factor.tsx';
import { andList } from '../../kernel/lists.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Adds the page about one's own account. */
export function addAccount(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  const { accounts } = deps;

  scope.get('/account', (_request, reply) => sendAccount(deps, reply, deps.flash.take<AccountResult>(reply) ?? {}));

  scope.post('/account/name', async (request, reply) => {
    personOf(request);
    const name = textField(formOf(request), 'name', 80);
    const fault = nameFault(name);
    if (fault !== undefined) return sendAccount(deps, reply, { nameFault: fault });
    if (!(await accounts.rename(name, request.headers.cookie ?? ''))) throw new SignInNeededError('/account');
    return deps.flash.redirect(reply, '/account', { done: `Your name is now ${name}.` });
  });

  addAddress(scope, deps);

  scope.post('/account/password', async (request, reply) => {
    const person = personOf(request);
    const form = formOf(request);
    const next = form.get('password') ?? '';
    const fault = await passwordFault(deps, request, {
      password: next,
      chooser: person.id,
      words: [person.email, person.name],
    });
    if (fault !== undefined) return sendAccount(deps, reply, { newPasswordFault: fault });
    const passwords = { current: form.get('current') ?? '', next, cookie: request.headers.cookie ?? '' };
    const changed = await setPassword(deps, person, passwords);
    if (changed.kind !== 'done') {
      return sendAccount(deps, reply, { passwordFault: refusal(changed, 'password') });
    }
    setCookies(reply, changed.value);
    return deps.flash.redirect(reply, '/account', {
      done: 'The new password is set. All other sessions have ended, and your open invitations are withdrawn.',
    });
  });

  scope.post<{ Params: { id: string } }>('/account/sessions/:id/end', async (request, reply) => {
    await endSession(deps.database, personOf(request), request.params.id);
    return reply.redirect('/account', 303);
  });

  scope.post('/account/close', (request, reply) => closeAccount(deps, request, reply));
}

/** The target of the link that proves an address: it may be opened in another browser, without a session. */
const PROOF = '/new-address';

/** Adds the change of the address: asked for here, and proven by a link that is mailed to it. */
function addAddress(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.post(ADDRESS, async (request, reply) => {
    const person = personOf(request);
    const form = formOf(request);
    const email = emailOf(textField(form, 'email', 254));
    if (email === undefined) return sendAccount(deps, reply, { addressFault: NO_EMAIL });
    if (email === person.email) return sendAccount(deps, reply, { addressFault: 'This is your address already.' });
    const wait = await deps.accounts.throttle.countInTurn(
      [ALLOWANCES.mailFromNetwork, deps.networkOf(request)],
      [ALLOWANCES.addressToRecipient, email],
    );
    if (wait !== undefined) return sendAccount(deps, reply, { addressFault: tooManyText(wait) });
    const cookie = request.headers.cookie ?? '';
    const asked = await deps.accounts.confirmPassword(person, form.get('password') ?? '', cookie);
    if (asked.kind !== 'done') return sendAccount(deps, reply, { addressPasswordFault: refusal(asked, 'password') });
    mailProof(
      deps,
      { entered: asked.value, sessionId: person.sessionId, sessionToken: person.sessionToken },
      { to: email, page: `${deps.baseUrl()}${PROOF}` },
    );
    return deps.flash.redirect(reply, `${ADDRESS}/sent`, { email });
  });

  scope.get(`${ADDRESS}/sent`, (request, reply) => {
    personOf(request);
    return sendLinkSent(deps, reply, { kind: 'address', validity: 'one hour' });
  });

  // A mail program may open the link before its reader does: only the button changes something.
  scope.get<{ Querystring: { token?: string } }>(PROOF, (request, reply) =>
    sendNarrowPage(
      reply,
      { title: 'Confirm your new address' },
      <PostForm class="stack" action={PROOF}>
        <p>From now on you sign in with the address that this link was mailed to.</p>
        <input type="hidden" name="token" value={request.query.token ?? ''} />
        <button class="first">Confirm the address</button>
      </PostForm>,
    ),
  );

  scope.post(PROOF, async (request, reply) => {
    const email = await changeAddress(deps, (formOf(request).get('token') ?? '').slice(0, 4_000));
    if (email === undefined) return sendAddressEnded(reply);
    const done = `Your address is now ${email}.`;
    return deps.flash.redirect(reply, request.person === null ? '/sign-in' : '/account', { done });
  });
}

function sendAddressEnded(reply: FastifyReply): FastifyReply {
  return sendLinkEnded(
    reply,
    <>
      It has been used or has expired, the session or password with which it was requested has ended, or an account with
      the address has since been created. <a href="/account">Ask for a new one</a>.
    </>,
  );
}

/** Deletes the account, and closes the workspaces without other members. */
async function closeAccount(
  deps: AccountParts & PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const person = personOf(request);
  const cookie = request.headers.cookie ?? '';
  const confirmed = await deps.accounts.confirmPassword(person, formOf(request).get('password') ?? '', cookie);
  if (confirmed.kind !== 'done') {
    return sendAccount(deps, reply, { closeFault: refusal(confirmed, 'password') });
  }
  const { engine } = deps.database;
  const stranding = await deps.holdings.end(person, async (act) => {
    const own = { engine, kysely: act.transaction };
    if (!(await isPasswordOf(own, confirmed.value)) || !(await hasSession(own, person))) {
      throw new SignInNeededError('/account');
    }
    await removePerson(act.transaction, person.id);
    await noteChangeIn(act, deps, person.email, 'account.closed');
  });
  if (stranding.length > 0) {
    return sendAccount(deps, reply, { closeFault: `First make someone else an owner of ${andList(stranding)}.` });
  }
  forgetPerson(request);
  return deps.flash.redirect(reply, '/sign-in', { done: `The account of ${person.email} is closed.` });
}

async function sendAccount(
  deps: AccountParts & PageKit,
  reply: FastifyReply,
  result: AccountResult,
): Promise<FastifyReply> {
  const person = personOf(reply.request);
  const sessions = await sessionsOf(deps.database, person);
  const { ending } = await deps.holdings.of(person);
  const { done: _done, ...faults } = result;
  const status = formStatus(...Object.values(faults));
  return sendNarrowPage(
    reply,
    { title: 'Account', current: '/account', status },
    <>
      <NoticeText tone="good" text={result.done} />
      <Identity person={person} result={result} />
      <section>
        <h2>Second factor</h2>
        <p>
          {person.hasSecondFactor ? 'On. ' : 'Off. Your password alone is enough to sign in. '}
          <a href="/account/second-factor">{person.hasSecondFactor ? 'Change it' : 'Set it up'}</a>
        </p>
      </section>
      <Sessions sessions={sessions} own={person.sessionId} />
      <section>
        <h2>Password</h2>
        <p>
          A new one ends your other sessions and withdraws the invitations that you have sent. API keys keep working.
        </p>
        <PostForm class="stack" action="/account/password">
          <CurrentPassword id="field-current" label="Current password" name="current" fault={result.passwordFault} />
          <NewPassword label="New password" fault={result.newPasswordFault} />
          <button>Change the password</button>
        </PostForm>
      </section>
      <Close result={result} slugs={ending} isSold={deps.config.billing !== undefined} />
    </>,
  );
}
