import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';
import { encode } from 'uqr';

import { Copyable } from '../../kernel/ui/copyable.tsx';
import { Field, NoticeText } from '../../kernel/ui/fields.tsx';
import { formStatus } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { homeOf, personOf } from '../guard.ts';
import { CurrentPassword } from './passwords.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** The path of the pages about the second factor. */
export const PATH = '/account/second-factor';

/** Secrets that are shown only once. */
export interface SetUp {
  uri: string;
  recoveryCodes: string[];
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

/** Sends the first page: what there is, and how to change it. */
export function sendStart(reply: FastifyReply, fault?: string): FastifyReply {
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
        alone is then useless. Setting it up ends your other sessions.
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

/** Sends the key for the app, and asks for its first code. */
export function sendSetUp(reply: FastifyReply, shown: SetUp, fault?: string): FastifyReply {
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
export function sendCode(reply: FastifyReply, fault?: string): FastifyReply {
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

/** Sends recovery codes, once. */
export function sendCodes(
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
