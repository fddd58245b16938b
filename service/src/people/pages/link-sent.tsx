import type { FastifyReply } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';

import type { AccountParts } from './context.ts';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

interface LinkSent {
  /**
   * The purpose of the link; the address may have no account (`reset`), or another one (`address`): the page discloses
   * neither.
   */
  kind: 'sign-up' | 'reset' | 'address';
  /** The time for which the link is valid: "one hour". */
  validity: string;
}

/** Sends the page that names the place of the requested link: the mail or, without a mail server, the service's log. */
export function sendLinkSent(
  { mailer, flash, config }: Pick<AccountParts & PageKit, 'mailer' | 'flash' | 'config'>,
  reply: FastifyReply,
  { kind, validity }: LinkSent,
): FastifyReply {
  const email = flash.take<{ email: string }>(reply)?.email ?? 'your address';
  const title = mailer.isConfigured ? 'Check your mail' : 'Get the link from the log';
  const whose = <strong>{email}</strong>;
  return sendNarrowPage(
    reply,
    { title },
    mailer.isConfigured ? (
      <p>
        <Sent kind={kind} whose={whose} /> It is valid for {validity}. If it does not arrive within a few minutes, look
        in your spam folder. You can ask for three links an hour.
      </p>
    ) : (
      <p>
        This service has no mail server. <WhoseLink kind={kind} whose={whose} /> in the service's log: search it for "no
        SMTP_URL".
        {config.contact === undefined ? null : (
          <>
            {' '}
            If you do not run the service, <AskOperator contact={config.contact} />.
          </>
        )}{' '}
        The link is valid for {validity}.
      </p>
    ),
  );
}

/** Sends the page for a mailed link that is used or expired. */
export function sendLinkEnded(reply: FastifyReply, text: ComponentChildren): FastifyReply {
  return sendNarrowPage(reply, { title: 'This link no longer works', status: 404 }, <p>{text}</p>);
}

interface AboutLink extends Pick<LinkSent, 'kind'> {
  whose: VNode;
}

function Sent({ kind, whose }: AboutLink) {
  if (kind === 'sign-up') return <>We have sent a link to {whose}.</>;
  return kind === 'reset' ? (
    <>If {whose} has an account, we have sent it a link.</>
  ) : (
    <>If no other account has {whose}, we have sent it a link.</>
  );
}

function WhoseLink({ kind, whose }: AboutLink) {
  if (kind === 'sign-up') return <>The link for {whose} is</>;
  return kind === 'reset' ? (
    <>If {whose} has an account, its link is</>
  ) : (
    <>If no other account has {whose}, its link is</>
  );
}
