import type { FastifyInstance, FastifyReply } from 'fastify';

import type { AccountParts } from './context.ts';
import { EmailField } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { forgetPerson, setCookies } from '../guard.ts';
import { findReset, mailReset, resetPassword } from '../resets.ts';
import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import { emailOf, NO_EMAIL } from './context.ts';
import { sendLinkEnded, sendLinkSent } from './link-sent.tsx';
import { NewPassword, passwordFault } from './passwords.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

const SENT = '/forgot?sent=yes';

/** Adds the reset of a forgotten password by mail. */
export function addReset(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get<{ Querystring: { sent?: string } }>('/forgot', (request, reply) =>
    request.query.sent === undefined
      ? sendForm(reply)
      : sendLinkSent(deps, reply, { kind: 'reset', validity: 'one hour' }),
  );

  scope.post('/forgot', async (request, reply) => {
    const email = emailOf(textField(formOf(request), 'email', 254));
    if (email === undefined) return sendForm(reply, NO_EMAIL);
    const wait = await deps.accounts.throttle.countInTurn(
      [ALLOWANCES.mailFromNetwork, deps.networkOf(request)],
      [ALLOWANCES.resetToRecipient, email],
    );
    if (wait === undefined) mailReset(deps, email, deps.baseUrl());
    return deps.flash.redirect(reply, SENT, { email });
  });

  scope.get<{ Params: { token: string } }>('/reset/:token', async (request, reply) => {
    const link = await findReset(deps, request.params.token);
    return link === undefined ? sendUsed(reply) : sendNew(reply);
  });

  scope.post<{ Params: { token: string } }>('/reset/:token', async (request, reply) => {
    const link = await findReset(deps, request.params.token);
    if (link === undefined) return sendUsed(reply);
    const password = formOf(request).get('password') ?? '';
    const fault = await passwordFault(deps, request, { password, chooser: link.id, words: [link.email] });
    if (fault !== undefined) return sendNew(reply, fault);
    const chosen = { password, network: deps.networkOf(request) };
    if ((await resetPassword(deps, link, chosen)) !== 'done') return sendUsed(reply);
    // A new browser may wait behind strangers who try to sign in. A reset by mail makes it a known one.
    setCookies(reply, [deps.accounts.deviceCookie(link.email)]);
    if (request.person?.email === link.email) forgetPerson(request);
    return deps.flash.redirect(reply, '/sign-in', { done: 'The new password is set. Sign in with it.' });
  });
}

function sendForm(reply: FastifyReply, fault?: string): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Set a new password', status: formStatus(fault) },
    <PostForm class="stack" action="/forgot">
      <EmailField hint="We will send a link there to choose a new password." fault={fault} />
      <button class="first">Send the link</button>
    </PostForm>,
  );
}

function sendNew(reply: FastifyReply, fault?: string): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Choose a new password', status: formStatus(fault) },
    <>
      <p>This signs you out everywhere and withdraws the invitations that you have sent. API keys keep working.</p>
      <PostForm class="stack">
        <NewPassword fault={fault} label="New password" />
        <button class="first">Set the password</button>
      </PostForm>
    </>,
  );
}

function sendUsed(reply: FastifyReply): FastifyReply {
  return sendLinkEnded(
    reply,
    <>
      It has been used or has expired. <a href="/forgot">Request a new one</a>.
    </>,
  );
}
