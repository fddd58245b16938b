import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AccountParts } from './context.ts';
import { EmailField, Field, NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { nextPath } from '../../kernel/ui/sign-in-needed.ts';
import { tooManyText, waitText } from '../../kernel/ui/times.tsx';
import type { SignIn } from '../types.ts';
import { noteChange } from '../changes.ts';
import { isAdministrator } from '../administrators.ts';
import { homeOf, setCookies } from '../guard.ts';
import { emailOf, originOf } from './context.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

interface NextQuery {
  Querystring: { next?: string };
}

/** Adds sign-in with password and code, and sign-out. */
export function addSignIn(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get<NextQuery>('/sign-in', (request, reply) => {
    const next = nextPath(request.query.next);
    if (request.person !== null) return reply.redirect(next || homeOf(request.person), 303);
    const { done, failed: fault } = deps.flash.take<{ done: string; failed: string }>(reply) ?? {};
    return sendForm(reply, { email: '', next, done, fault });
  });

  scope.post('/sign-in', async (request, reply) => {
    const form = formOf(request);
    const next = nextPath(form.get('next'));
    const typed = textField(form, 'email', 254);
    // A malformed address is tried, too: answer and response time are those of an unknown one.
    const email = emailOf(typed) ?? 'nobody@example.invalid';
    const outcome = await deps.accounts.signIn(
      email,
      (form.get('password') ?? '').slice(0, 1_000),
      originOf(deps, request),
    );
    noteSignIn(request, 'password', outcome);
    if (outcome.kind === 'refused') {
      return sendForm(reply, { email: typed, next, fault: 'The address or the password is wrong.' }, 401);
    }
    if (outcome.kind === 'throttled') {
      const { retryAfterSeconds: seconds } = outcome;
      const fault = `Too many attempts. Try again in ${waitText(seconds)}, or set a new password.`;
      return sendForm(reply.header('retry-after', String(seconds)), { email: typed, next, fault }, 429);
    }
    // The browser's previous session ends, and nothing else of its person: it may be the same one, whose code is next.
    if (request.person !== null) await deps.accounts.signOut(request.headers.cookie ?? '');
    setCookies(reply, outcome.setCookies);
    if (outcome.kind === 'signed-in') return sendOn(deps, reply, next, outcome.person);
    return reply.redirect(`/sign-in/code${queryOf(next)}`, 303);
  });

  addCode(scope, deps);

  scope.post('/sign-out', async (request, reply) => {
    if (request.person !== null) {
      request.log.info({ event: 'sign-out', person: request.person.id }, 'account');
      setCookies(reply, await deps.accounts.signOut(request.headers.cookie ?? ''));
    }
    deps.flash.drop(reply);
    // Nothing that was seen while signed in stays in the browser.
    return reply.header('clear-site-data', '"cache", "storage"').redirect('/', 303);
  });
}

const LOCKED =
  'Ten codes in a row were wrong, so none is taken for 15 minutes. If they were not yours, somebody knows your password: set a new one, by “Forgot your password?” on the sign-in page.';

/** Adds the second step: the code. */
function addCode(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get<NextQuery>('/sign-in/code', async (request, reply) => {
    const next = nextPath(request.query.next);
    if (await deps.accounts.isCodeAwaited(request.headers.cookie ?? '')) return sendCodeForm(reply, next);
    return leadBack(deps, reply, next);
  });

  scope.post('/sign-in/code', async (request, reply) => {
    const form = formOf(request);
    const next = nextPath(form.get('next'));
    const code = textField(form, 'code', 40).replaceAll(' ', '');
    const outcome = await deps.accounts.signInWithCode(code, request.headers.cookie ?? '', deps.networkOf(request));
    noteSignIn(request, 'code', outcome);
    if (outcome.kind === 'signed-in') {
      if (outcome.byRecoveryCode) await noteChange(deps, outcome.person.email, 'recovery-code.used');
      setCookies(reply, outcome.setCookies);
      return sendOn(deps, reply, next, outcome.person);
    }
    if (outcome.kind === 'refused' && !(await deps.accounts.isCodeAwaited(request.headers.cookie ?? ''))) {
      return leadBack(deps, reply, next);
    }
    if (outcome.kind === 'throttled') return sendCodeForm(reply, next, tooManyText(outcome.retryAfterSeconds), 429);
    if (outcome.kind === 'locked') return sendCodeForm(reply, next, LOCKED, 429);
    return sendCodeForm(
      reply,
      next,
      'This code is wrong. Enter the one that your app shows now, or a recovery code.',
      401,
    );
  });
}

/** Redirects to the requested page, or to the person's start page. */
async function sendOn(
  { database }: AccountParts & PageKit,
  reply: FastifyReply,
  next: string,
  { id }: { id: string },
): Promise<FastifyReply> {
  if (next !== '') return reply.redirect(next, 303);
  return reply.redirect(homeOf({ isAdministrator: await isAdministrator(database, id) }), 303);
}

function queryOf(next: string): string {
  return next === '' ? '' : `?next=${encodeURIComponent(next)}`;
}

/** Leads back to the password: it was entered too long ago, or too many codes were wrong. */
function leadBack({ flash }: AccountParts & PageKit, reply: FastifyReply, next: string): FastifyReply {
  const failed =
    'Enter your password first, then the code. A sign-in ends after ten minutes, or after several wrong codes.';
  return flash.redirect(reply, `/sign-in${queryOf(next)}`, { failed });
}

/** Logs every sign-in attempt, with its outcome and the person if known; never the address that was typed. */
function noteSignIn(request: FastifyRequest, by: 'password' | 'code', outcome: SignIn | { kind: 'locked' }): void {
  const person = outcome.kind === 'signed-in' ? outcome.person.id : undefined;
  const line = { event: 'sign-in', by, outcome: outcome.kind, person };
  if (outcome.kind === 'signed-in' || outcome.kind === 'second-factor') request.log.info(line, 'account');
  else request.log.warn(line, 'account');
}

interface SignInForm {
  email: string;
  next: string;
  done?: string | undefined;
  fault?: string | undefined;
}

function sendForm(reply: FastifyReply, { email, next, done, fault }: SignInForm, status = 200): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Sign in', current: '/sign-in', status },
    <>
      <NoticeText tone="good" text={done} />
      <NoticeText tone="bad" text={fault} />
      <PostForm class="stack" action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <EmailField value={email} autocomplete="username" />
        <Field label="Password" name="password" type="password" autocomplete="current-password" />
        <button class="first">Sign in</button>
      </PostForm>
      <p>
        <a href="/forgot">Forgot your password?</a>
      </p>
      <p>
        New here? <a href="/sign-up">Create an account</a>.
      </p>
    </>,
  );
}

function sendCodeForm(reply: FastifyReply, next: string, fault?: string, status = 200): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Second factor', status },
    <>
      <PostForm class="stack" action="/sign-in/code">
        <input type="hidden" name="next" value={next} />
        <Field
          label="Code"
          name="code"
          autocomplete="one-time-code"
          maxLength={40}
          isMono
          hint="Six digits from your authenticator app, or one of your recovery codes."
          fault={fault}
        />
        <button class="first">Continue</button>
      </PostForm>
      <p>
        <a href="/sign-in">Sign in as someone else</a>
      </p>
    </>,
  );
}
