import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { encode } from 'uqr';

import { Copyable } from '../../kernel/ui/copyable.tsx';
import { Field, NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { tooManyText } from '../../kernel/ui/times.tsx';
import { noteChange } from '../changes.ts';
import { homeOf, personOf, setCookies } from '../guard.ts';
import { haveRecoveryCodes, removeSecondFactor } from '../people.ts';
import type { Guarded } from '../types.ts';
import type { AccountParts } from './context.ts';
import { CurrentPassword } from './passwords.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

const PATH = '/account/second-factor';

/** Secrets that are shown only once. */
interface SetUp {
  uri: string;
  recoveryCodes: string[];
}

const cookieOf = (request: FastifyRequest): string => request.headers.cookie ?? '';
const passwordOf = (request: FastifyRequest): string => formOf(request).get('password') ?? '';

/** Adds the pages that set up and end a second factor. */
export function addSecondFactor(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  const { accounts } = deps;

  scope.get(PATH, (_request, reply) => sendStart(reply));

  scope.get(`${PATH}/set-up`, async (request, reply) => {
    if (personOf(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const { uri, recoveryCodes, fault } = deps.flash.take<SetUp & { fault: string }>(reply) ?? {};
    if (uri !== undefined && recoveryCodes !== undefined) return sendSetUp(reply, { uri, recoveryCodes }, fault);
    return sendCode(reply);
  });

  scope.get(`${PATH}/codes`, async (request, reply) => {
    personOf(request);
    return sendCodes(reply, deps.flash.take<SetUp & { isNew: boolean }>(reply));
  });

  scope.post(PATH, async (request, reply) => {
    const person = personOf(request);
    const begun = await accounts.secondFactor.begin(person, passwordOf(request), cookieOf(request));
    if (begun.kind !== 'done') return sendStart(reply, refusal(begun, 'password'));
    return deps.flash.redirect(reply, `${PATH}/set-up`, begun.value);
  });

  addConfirmation(scope, deps);

  scope.post(`${PATH}/codes`, async (request, reply) => {
    const person = personOf(request);
    const confirmed = await accounts.confirmPassword(person, passwordOf(request), cookieOf(request));
    if (confirmed.kind !== 'done') return sendStart(reply, refusal(confirmed, 'password'));
    await noteChange(deps, person.email, 'recovery-codes.made');
    const made = await accounts.secondFactor.newRecoveryCodes(person, passwordOf(request), cookieOf(request));
    if (made.kind !== 'done') return sendStart(reply, refusal(made, 'password'));
    return deps.flash.redirect(reply, `${PATH}/codes`, { recoveryCodes: made.value });
  });

  scope.post(`${PATH}/end`, async (request, reply) => {
    const person = personOf(request);
    const confirmed = await accounts.confirmPassword(person, passwordOf(request), cookieOf(request));
    if (confirmed.kind !== 'done') return sendStart(reply, refusal(confirmed, 'password'));
    await noteChange(deps, person.email, 'second-factor.off');
    const ended = await accounts.secondFactor.end(person, passwordOf(request), cookieOf(request));
    if (ended.kind !== 'done') return sendStart(reply, refusal(ended, 'password'));
    setCookies(reply, ended.value);
    return reply.redirect('/account', 303);
  });
}

/** Adds what turns it on. */
function addConfirmation(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  const { accounts } = deps;
  scope.post(`${PATH}/confirm`, async (request, reply) => {
    const code = textField(formOf(request), 'code', 12).replaceAll(' ', '');
    const person = personOf(request);
    const shown = setUpIn(formOf(request));
    // The key in the app may be the other one, and these codes would never sign in.
    if (shown !== undefined && !(await haveRecoveryCodes(deps.database, person.id, shown.recoveryCodes))) {
      return sendStart(reply, 'It was set up again in another window. Go on there, or set it up again here.');
    }
    const confirmed = await accounts.secondFactor.confirm(person, code, cookieOf(request));
    if (confirmed.kind !== 'done') {
      const fault = refusal(confirmed, 'code');
      if (shown === undefined) return sendCode(reply, fault);
      return deps.flash.redirect(reply, `${PATH}/set-up`, { ...shown, fault });
    }
    try {
      await noteChange(deps, person.email, 'second-factor.on');
    } catch (error) {
      // The library turns it on as it checks the code: without an entry, it is off again.
      const { kysely } = deps.database;
      await kysely.transaction().execute((transaction) => removeSecondFactor(transaction, person.id));
      throw error;
    }
    setCookies(reply, confirmed.value);
    if (shown === undefined) return reply.redirect('/account', 303);
    return deps.flash.redirect(reply, `${PATH}/codes`, { recoveryCodes: shown.recoveryCodes, isNew: true });
  });
}

/** Reads the earlier secrets from the form, to show them again with a wrong code. */
function setUpIn(form: URLSearchParams): SetUp | undefined {
  const [uri, codes] = [form.get('uri') ?? '', form.get('codes') ?? ''];
  if (!URL.canParse(uri) || !/^[\w-]{1,40}(?: [\w-]{1,40}){0,19}$/.test(codes)) return undefined;
  return { uri, recoveryCodes: codes.split(' ') };
}

/** Returns the reason why a password or a code was not accepted. */
export function refusal(outcome: Exclude<Guarded<unknown>, { kind: 'done' }>, what: 'password' | 'code'): string {
  if (outcome.kind === 'throttled') return tooManyText(outcome.retryAfterSeconds);
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
      <PostForm class="stack" action={PATH}>
        <CurrentPassword id="begin-password" fault={fault} />
        <button class="first">Set it up</button>
      </PostForm>
    </>
  );
}

function Existing({ fault }: { fault?: string | undefined }) {
  return (
    <>
      <p>Your account has a second factor.</p>
      <PostForm class="stack" action={`${PATH}/codes`}>
        <h2>New recovery codes</h2>
        <p>They replace the old ones, which stop working.</p>
        <CurrentPassword id="codes-password" fault={fault} />
        <button>Create new codes</button>
      </PostForm>
      <details class="sure">
        <summary>Turn off the second factor</summary>
        <p>You will then sign in with your password alone, and cannot open the administration pages.</p>
        <PostForm class="stack" action={`${PATH}/end`}>
          <CurrentPassword id="end-password" />
          <button class="danger">Turn off the second factor</button>
        </PostForm>
      </details>
    </>
  );
}

function CodeForm({ fault, shown }: { fault?: string | undefined; shown?: SetUp }) {
  return (
    <PostForm class="stack" action={`${PATH}/confirm`}>
      {shown === undefined ? null : (
        <>
          <input type="hidden" name="uri" value={shown.uri} />
          <input type="hidden" name="codes" value={shown.recoveryCodes.join(' ')} />
        </>
      )}
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
    </PostForm>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section>
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

function sendSetUp(reply: FastifyReply, shown: SetUp, fault?: string): FastifyReply {
  const secret = new URL(shown.uri).searchParams.get('secret') ?? '';
  return send(
    reply,
    { title: 'Set up the second factor', fault },
    <>
      <section>
        <h2>Your authenticator app</h2>
        <p>Scan the code with the app, or enter the key.</p>
        <QrCode text={shown.uri} label="QR code with the key for the authenticator app" />
        <Copyable id="app-key" look="small">
          <p class="key in-groups" id="app-key">
            {(secret.match(/.{1,4}/g) ?? []).map((group, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- rendered once: a group is its place
              <span key={place}>{group}</span>
            ))}
          </p>
        </Copyable>
      </section>
      <section>
        <h2>Turn it on</h2>
        <CodeForm fault={fault} shown={shown} />
        <p class="hint">Next you get recovery codes, in case you lose the app.</p>
      </section>
    </>,
  );
}

/** Asks for the code only: the key was shown before. */
function sendCode(reply: FastifyReply, fault?: string): FastifyReply {
  return send(
    reply,
    { title: 'Turn on the second factor', fault },
    <>
      <p>
        The key was shown once and cannot be shown again. If you did not save it, <a href={PATH}>start again</a> with a
        new one.
      </p>
      <CodeForm fault={fault} />
    </>,
  );
}

function sendCodes(
  reply: FastifyReply,
  { recoveryCodes: codes, isNew = false }: Partial<SetUp & { isNew: boolean }> = {},
): FastifyReply {
  const lost = (
    <>
      The codes were shown once and cannot be shown again. If you did not save them, <a href={PATH}>make new ones</a>.
    </>
  );
  return send(
    reply,
    { title: 'Recovery codes', heading: isNew ? 'Your recovery codes' : 'New recovery codes' },
    <>
      <NoticeText tone="good" text={isNew ? 'The second factor is on.' : undefined} />
      {codes === undefined ? <NoticeText tone="warn" text={lost} /> : <RecoveryCodes codes={codes} />}
      <p>
        <a class={isNew ? 'button first' : undefined} href={isNew ? homeOf(personOf(reply.request)) : '/account'}>
          {isNew ? 'I have saved the codes' : 'Back to the account'}
        </a>
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
