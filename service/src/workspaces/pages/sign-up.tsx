import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import {
  type AccountParts,
  emailOf,
  NO_EMAIL,
  nameFault,
  originOf,
  sendLinkEnded,
  sendLinkSent,
  NewPassword,
  passwordFault,
} from '../../people/pages/index.ts';
import { setCookies, findLink, makeLink, type MailedLink } from '../../people/index.ts';
import { FIRST_STEPS } from './frame.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import { EmailField, Field } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { wideNetworkOf } from '../../kernel/limits/wide-network.ts';
import { finishSignUp } from '../joining.ts';
import { findWorkspace } from '../workspaces.ts';
import { foundingFault, SlugField, slugFault } from './workspaces.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

const SENT = '/sign-up?sent=yes';

type SignUpLink = MailedLink & { purpose: { kind: 'sign-up' } };

/** The faults of a form's fields, by name. */
type Faults = Partial<Record<'email' | 'name' | 'slug' | 'password', string | undefined>>;

/** Adds sign-up: an address and a workspace's name first, then, behind the link that is mailed, a password. */
export function addSignUp(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get<{ Querystring: { sent?: string } }>('/sign-up', (request, reply) =>
    request.query.sent === undefined
      ? sendForm(deps, reply, { email: '', slug: '' }, {})
      : sendLinkSent(deps, reply, { kind: 'sign-up', validity: 'one day' }),
  );

  scope.post('/sign-up', async (request, reply) => {
    const form = formOf(request);
    const typed = { email: textField(form, 'email', 254), slug: textField(form, 'slug', 64).toLowerCase() };
    const email = emailOf(typed.email);
    const faults = {
      email: email === undefined ? NO_EMAIL : undefined,
      slug: slugFault(typed.slug),
    };
    if (email === undefined || faults.slug !== undefined) return sendForm(deps, reply, typed, faults);
    await mailLink(deps, request, email, typed.slug);
    return deps.flash.redirect(reply, SENT, { email });
  });

  scope.get<{ Params: { token: string } }>('/sign-up/:token', async (request, reply) => {
    const link = await linkOf(deps, request.params.token);
    if (link === undefined) return sendUsed(reply);
    if ((await deps.accounts.idOf(link.email)) !== undefined) return sendKnown(reply, link.email);
    return sendFinish(reply, link, { typed: { name: '', slug: link.purpose.slug }, faults: {} });
  });

  scope.post<{ Params: { token: string } }>('/sign-up/:token', async (request, reply) =>
    finish(deps, request, reply, request.params.token),
  );
}

async function finish(
  deps: AccountParts & PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const link = await linkOf(deps, token);
  if (link === undefined) return sendUsed(reply);
  if ((await deps.accounts.idOf(link.email)) !== undefined) return sendKnown(reply, link.email);
  const form = formOf(request);
  const slug = form.has('slug') ? textField(form, 'slug', 64).toLowerCase() : link.purpose.slug;
  const typed = { name: textField(form, 'name', 80), slug };
  const password = form.get('password') ?? '';
  const faults = {
    name: nameFault(typed.name),
    slug: slugFault(typed.slug),
    password: await passwordFault(deps, request, {
      password,
      chooser: link.id,
      words: [link.email, typed.slug, typed.name],
    }),
  };
  if (Object.values(faults).some((fault) => fault !== undefined)) {
    return sendFinish(reply, link, { typed, faults });
  }
  // A link is good for several names: one that is taken costs no hash.
  if ((await findWorkspace(deps.database, slug)) !== undefined) {
    return sendFinish(reply, link, { typed, faults: { slug: foundingFault({ kind: 'slug-taken' }) } });
  }
  const from = originOf(deps, request);
  const passwordHash = await deps.accounts.hash(password, from);
  const outcome = await finishSignUp(deps, link, { ...typed, passwordHash });
  if (outcome.kind === 'gone') return sendUsed(reply);
  if (outcome.kind === 'known') return sendKnown(reply, link.email);
  if (outcome.kind !== 'done') return sendFinish(reply, link, { typed, faults: { slug: foundingFault(outcome) } });
  const signedIn = await deps.accounts.signIn(link.email, password, { ...from, hasLink: true });
  if (signedIn.kind !== 'signed-in') return reply.redirect('/sign-in', 303);
  setCookies(reply, signedIn.setCookies);
  return reply.redirect(`/portal/${outcome.workspace.slug}${FIRST_STEPS}`, 303);
}

/** Mails the link unless the address or the network has had too many. The answer does not disclose which. */
async function mailLink(
  deps: AccountParts & PageKit,
  request: FastifyRequest,
  email: string,
  slug: string,
): Promise<void> {
  const network = deps.networkOf(request);
  const wait = await deps.accounts.throttle.countInTurn(
    [ALLOWANCES.mailFromNetwork, network],
    [ALLOWANCES.signUpFromNetwork, network],
    [ALLOWANCES.signUpFromWideNetwork, wideNetworkOf(network)],
    [ALLOWANCES.signUpToRecipient, email],
  );
  if (wait !== undefined) return;
  const link = `${deps.baseUrl()}/sign-up/${await makeLink(deps, email, { kind: 'sign-up', slug })}`;
  deps.mailer.send({
    to: email,
    subject: 'Finish your Marque account',
    before: `Someone, probably you, asked for a Marque account for ${email}. Open this link to choose a password:`,
    link,
    after: 'The link is valid for one day. If you did not ask for it, ignore this e-mail: no account is created.',
  });
}

async function linkOf(deps: AccountParts & PageKit, token: string): Promise<SignUpLink | undefined> {
  const link = await findLink(deps, token);
  return link?.purpose.kind === 'sign-up' ? { ...link, purpose: link.purpose } : undefined;
}

function freeText(limit: number | null): string {
  return limit === null ? 'It is free.' : `Free for ${count(limit)} decodes a month.`;
}

function sendForm(
  { config }: AccountParts & PageKit,
  reply: FastifyReply,
  typed: { email: string; slug: string },
  faults: Faults,
): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Create an account', current: '/sign-up', status: formStatus(...Object.values(faults)) },
    <>
      <p>{freeText(config.planLimits.free)} No payment details needed.</p>
      <PostForm class="stack" action="/sign-up">
        <EmailField
          value={typed.email}
          hint="We will send a link there to choose your password."
          fault={faults.email}
        />
        <SlugField value={typed.slug} fault={faults.slug} />
        <p class="hint">
          By creating an account, you accept the <a href="/terms">terms</a>. <a href="/privacy">See what we store</a>.
        </p>
        <button class="first">Send the link</button>
      </PostForm>
      <p>
        Already have an account? <a href="/sign-in">Sign in</a>.
      </p>
    </>,
  );
}

function sendFinish(
  reply: FastifyReply,
  link: MailedLink,
  { typed, faults }: { typed: { name: string; slug: string }; faults: Faults },
): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'Choose a password', status: formStatus(...Object.values(faults)) },
    <>
      <p>
        For <strong>{link.email}</strong> and the workspace <code>{typed.slug}</code>.
      </p>
      <PostForm class="stack">
        <input type="hidden" name="username" autocomplete="username" value={link.email} />
        <Field
          label="Your name"
          name="name"
          autocomplete="name"
          maxLength={80}
          value={typed.name}
          hint="Shown to the other members of the workspace."
          fault={faults.name}
        />
        {faults.slug === undefined ? (
          <input type="hidden" name="slug" value={typed.slug} />
        ) : (
          <SlugField value={typed.slug} fault={faults.slug} />
        )}
        <NewPassword fault={faults.password} />
        <button class="first">Create the account</button>
      </PostForm>
    </>,
  );
}

function sendUsed(reply: FastifyReply): FastifyReply {
  return sendLinkEnded(
    reply,
    <>
      It has been used or has expired. <a href="/sign-up">Request a new one</a>, or <a href="/sign-in">sign in</a>.
    </>,
  );
}

function sendKnown(reply: FastifyReply, email: string): FastifyReply {
  return sendNarrowPage(
    reply,
    { title: 'You have an account' },
    <p>
      <strong>{email}</strong> already has an account. <a href="/sign-in">Sign in</a>, or{' '}
      <a href="/forgot">set a new password</a>. You can create more workspaces in the portal.
    </p>,
  );
}
