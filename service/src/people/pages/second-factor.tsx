import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { encode } from 'uqr';

import { Field, NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { waitText } from '../../kernel/ui/times.tsx';
import { noteChange } from '../changes.ts';
import { personOf, setCookies } from '../guard.ts';
import type { Guarded } from '../types.ts';
import type { AccountPageDeps } from './context.ts';
import { CurrentPassword } from './passwords.tsx';

const PATH = '/account/second-factor';

/** What is shown once. */
interface SetUp {
  uri: string;
  recoveryCodes: string[];
}

const cookieOf = (request: FastifyRequest): string => request.headers.cookie ?? '';
const passwordOf = (request: FastifyRequest): string => formOf(request).get('password') ?? '';

/** Adds the pages that set up and end a second factor. */
export function addSecondFactor(scope: FastifyInstance, deps: AccountPageDeps): void {
  const { accounts } = deps;

  scope.get(PATH, (_request, reply) => sendStart(reply));

  scope.get(`${PATH}/set-up`, async (request, reply) => {
    if (personOf(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const { uri, recoveryCodes } = deps.flash.take<SetUp>(reply) ?? {};
    if (uri !== undefined && recoveryCodes !== undefined) return sendSetUp(reply, { uri, recoveryCodes });
    return sendCode(reply);
  });

  scope.get(`${PATH}/codes`, async (request, reply) => {
    personOf(request);
    return sendCodes(reply, deps.flash.take<SetUp>(reply)?.recoveryCodes);
  });

  scope.post(PATH, async (request, reply) => {
    const person = personOf(request);
    const begun = await accounts.beginSecondFactor(person, passwordOf(request), cookieOf(request));
    if (begun.kind !== 'done') return sendStart(reply, refusal(begun, 'password'));
    return deps.flash.redirect(reply, `${PATH}/set-up`, begun.value);
  });

  scope.post(`${PATH}/confirm`, async (request, reply) => {
    const code = textField(formOf(request), 'code', 12).replaceAll(' ', '');
    const person = personOf(request);
    const confirmed = await accounts.confirmSecondFactor(person, code, cookieOf(request));
    if (confirmed.kind !== 'done') return sendCode(reply, refusal(confirmed, 'code'));
    await noteChange(deps, person.email, 'second-factor.on');
    setCookies(reply, confirmed.value);
    return reply.redirect('/account', 303);
  });

  scope.post(`${PATH}/codes`, async (request, reply) => {
    const person = personOf(request);
    const made = await accounts.newRecoveryCodes(person, passwordOf(request), cookieOf(request));
    if (made.kind !== 'done') return sendStart(reply, refusal(made, 'password'));
    await noteChange(deps, person.email, 'recovery-codes.made');
    return deps.flash.redirect(reply, `${PATH}/codes`, { recoveryCodes: made.value });
  });

  scope.post(`${PATH}/end`, async (request, reply) => {
    const person = personOf(request);
    const ended = await accounts.endSecondFactor(person, passwordOf(request), cookieOf(request));
    if (ended.kind !== 'done') return sendStart(reply, refusal(ended, 'password'));
    await noteChange(deps, person.email, 'second-factor.off');
    setCookies(reply, ended.value);
    return reply.redirect('/account', 303);
  });
}

/** Why a password or a code was not accepted. */
export function refusal(outcome: Exclude<Guarded<unknown>, { kind: 'done' }>, what: 'password' | 'code'): string {
  if (outcome.kind === 'throttled') return `Too many attempts. Try again in ${waitText(outcome.retryAfterSeconds)}.`;
  return what === 'password' ? 'The password is wrong.' : 'The code is wrong. Enter the one that your app shows now.';
}

/** Sends a page about the second factor. */
function send(
  reply: FastifyReply,
  page: { title: string; heading?: string; fault?: string | undefined },
  children: ComponentChildren,
): FastifyReply {
  const { fault, ...titles } = page;
  return sendNarrowPage(reply, { ...titles, current: '/account', status: formStatus(fault) }, children);
}

function sendStart(reply: FastifyReply, fault?: string): FastifyReply {
  const { hasSecondFactor, isAdministrator } = personOf(reply.request);
  const advice =
    isAdministrator && !hasSecondFactor ? 'To open the administration pages, set up a second factor.' : undefined;
  return send(
    reply,
    { title: 'Second factor', fault },
    <>
      <NoticeText tone="warn" text={advice} />
      {hasSecondFactor ? <Existing fault={fault} /> : <Begin fault={fault} />}
    </>,
  );
}

function Begin({ fault }: { fault?: string | undefined }) {
  return (
    <>
      <p>
        With a second factor, you sign in with your password and a code from an authenticator app. A stolen password
        alone is then useless.
      </p>
      <form class="stack" method="post" action={PATH}>
        <CurrentPassword id="begin-password" fault={fault} />
        <button class="first">Set it up</button>
      </form>
    </>
  );
}

function Existing({ fault }: { fault?: string | undefined }) {
  return (
    <>
      <p>Your account has a second factor.</p>
      <form class="stack" method="post" action={`${PATH}/codes`}>
        <h2>New recovery codes</h2>
        <p>They replace the old ones, which stop working.</p>
        <CurrentPassword id="codes-password" fault={fault} />
        <button>Create new codes</button>
      </form>
      <details class="sure">
        <summary>Turn off the second factor</summary>
        <p>You will then sign in with your password alone, and cannot open the administration pages.</p>
        <form class="stack" method="post" action={`${PATH}/end`}>
          <CurrentPassword id="end-password" />
          <button class="danger">Turn off the second factor</button>
        </form>
      </details>
    </>
  );
}

function CodeForm({ fault }: { fault?: string | undefined }) {
  return (
    <form class="stack" method="post" action={`${PATH}/confirm`}>
      <Field
        label="Code"
        name="code"
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        isMono
        hint="The six digits that the app shows."
        fault={fault}
      />
      <button class="first">Turn it on</button>
    </form>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section>
      <h2>Recovery codes</h2>
      <p>
        If you lose the app, each code signs you in once. The codes are shown only now. Keep them somewhere other than
        on the device with the app.
      </p>
      <ul class="codes" id="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <button type="button" data-copy="recovery-codes" hidden>
        Copy the codes
      </button>
    </section>
  );
}

function sendSetUp(reply: FastifyReply, { uri, recoveryCodes }: SetUp): FastifyReply {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return send(
    reply,
    { title: 'Set up the second factor' },
    <>
      <section>
        <h2>Your authenticator app</h2>
        <p>Scan the code with the app, or enter the key.</p>
        <QrCode text={uri} label="QR code with the key for the authenticator app" />
        <p class="key">{secret}</p>
      </section>
      <RecoveryCodes codes={recoveryCodes} />
      <section>
        <h2>Turn it on</h2>
        <CodeForm />
      </section>
    </>,
  );
}

/** Asks for the code alone: the key was shown before. */
function sendCode(reply: FastifyReply, fault?: string): FastifyReply {
  return send(
    reply,
    { title: 'Turn on the second factor', fault },
    <>
      <p>
        The key and the recovery codes were shown once and cannot be shown again. If you did not save them,{' '}
        <a href={PATH}>start again</a> with new ones.
      </p>
      <CodeForm fault={fault} />
    </>,
  );
}

function sendCodes(reply: FastifyReply, codes: string[] | undefined): FastifyReply {
  const lost = (
    <>
      The codes were shown once and cannot be shown again. If you did not save them, <a href={PATH}>make new ones</a>.
    </>
  );
  return send(
    reply,
    { title: 'Recovery codes', heading: 'New recovery codes' },
    <>
      {codes === undefined ? <NoticeText tone="warn" text={lost} /> : <RecoveryCodes codes={codes} />}
      <p>
        <a href="/account">Back to the account</a>
      </p>
    </>,
  );
}

/** A text as a QR code, drawn as one path. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={dots.join('')} />
      </svg>
    </div>
  );
}
