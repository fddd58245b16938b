import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Field } from '../../platform/ui/fields.tsx';
import { formOf, textField } from '../../platform/ui/forms.ts';
import { sendPage } from '../../platform/ui/html.tsx';
import { viewerOf } from '../../features/accounts/guard.ts';
import { findReset, resetPassword } from '../../features/accounts/resets.ts';
import { ALLOWANCES } from '../../features/accounts/throttle.ts';
import { type AccountPagesDeps, emailOf } from './context.ts';
import { sendGone } from './gone.tsx';
import { sendLinkSent } from './link-sent.tsx';
import { NewPassword, passwordFault } from './passwords.tsx';

const HIDDEN = { schema: { hide: true } };
const SENT = '/forgot?sent=yes';

/** Adds the reset of a forgotten password by mail. */
export function addReset(scope: FastifyInstance, deps: AccountPagesDeps): void {
  scope.get<{ Querystring: { sent?: string } }>('/forgot', HIDDEN, (request, reply) =>
    request.query.sent === undefined
      ? sendForm(request, reply)
      : sendLinkSent(deps, request, reply, { isForAccount: true, validity: 'one hour' }),
  );

  scope.post('/forgot', HIDDEN, async (request, reply) => {
    const email = emailOf(textField(formOf(request), 'email', 254));
    if (email === undefined) return sendForm(request, reply, 'This is not an e-mail address.');
    const wait = await deps.accounts.throttle.countInTurn(
      [ALLOWANCES.mailFromNetwork, deps.networkOf(request)],
      [ALLOWANCES.resetToRecipient, email],
    );
    if (wait === undefined) deps.askForReset(email);
    return deps.flash.redirect(reply, SENT, { email });
  });

  scope.get<{ Params: { token: string } }>('/reset/:token', HIDDEN, async (request, reply) => {
    const link = await findReset(deps, request.params.token);
    return link === undefined ? sendUsed(request, reply) : sendNew(request, reply);
  });

  scope.post<{ Params: { token: string } }>('/reset/:token', HIDDEN, async (request, reply) => {
    const link = await findReset(deps, request.params.token);
    if (link === undefined) return sendUsed(request, reply);
    const password = formOf(request).get('password') ?? '';
    const fault = await passwordFault(deps, request, { password, chooser: link.id, words: [link.email] });
    if (fault !== undefined) return sendNew(request, reply, fault);
    if ((await resetPassword(deps, link, password)) !== 'done') return sendUsed(request, reply);
    return deps.flash.redirect(reply, '/sign-in', { done: 'The new password is set. Sign in with it.' });
  });
}

function sendForm(request: FastifyRequest, reply: FastifyReply, fault?: string): FastifyReply {
  return sendPage(
    reply,
    {
      title: 'Set a new password',
      viewer: viewerOf(request),
      width: 'narrow',
      children: (
        <>
          <h1>Set a new password</h1>
          <form class="stack" method="post" action="/forgot">
            <Field
              label="E-mail address"
              name="email"
              type="email"
              autocomplete="email"
              maxLength={254}
              hint="We will send a link there to choose a new password."
              fault={fault}
            />
            <button class="first">Send the link</button>
          </form>
        </>
      ),
    },
    fault === undefined ? 200 : 422,
  );
}

function sendNew(request: FastifyRequest, reply: FastifyReply, fault?: string): FastifyReply {
  return sendPage(
    reply,
    {
      title: 'Choose a new password',
      viewer: viewerOf(request),
      width: 'narrow',
      children: (
        <>
          <h1>Choose a new password</h1>
          <p>This signs you out everywhere. API keys keep working.</p>
          <form class="stack" method="post">
            <NewPassword fault={fault} label="New password" />
            <button class="first">Set the password</button>
          </form>
        </>
      ),
    },
    fault === undefined ? 200 : 422,
  );
}

function sendUsed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendGone(
    request,
    reply,
    'This link no longer works',
    <>
      It has been used or has expired. <a href="/forgot">Request a new one</a>.
    </>,
  );
}
