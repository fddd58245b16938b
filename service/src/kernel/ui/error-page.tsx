import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';

import { answerTo, logFault } from '../http/errors.ts';
import { sendNarrowPage, sendPart } from './html.tsx';
import { Field, NoticeText } from './fields.tsx';
import { wantsPart } from './forms.ts';
import { SignInNeededError } from './sign-in-needed.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Page not found',
  413: 'Too large',
  429: 'Too many requests',
  503: 'The service is busy',
};

/** Answers errors of this scope's routes with a page that gives the remedy, in the same words as the API. */
export function answerPageErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof SignInNeededError) {
      if (wantsPart(request))
        return reply.code(204).header('marque-part', 'yes').header('hx-redirect', error.location).send();
      return reply.redirect(error.location, 303);
    }
    const { status, text, headers } = answerTo(error);
    logFault(error, status, request.log);
    reply.headers(headers);
    if (wantsPart(request)) return sendPart(reply, <NoticeText tone="bad" text={text} />, status);
    return sendErrorPage(reply, status, text);
  });
}

/** Offers a search to a visitor who followed a wrong link. */
function SearchDocumentation() {
  return (
    <form class="row" role="search" method="get" action="/docs/search">
      <Field label="Search the documentation" name="q" type="search" isFilter />
      <button>Search</button>
    </form>
  );
}

/** Sends an error as a page. */
export function sendErrorPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  const isSignedIn = reply.request.viewer !== undefined;
  return sendNarrowPage(
    reply,
    { title: TITLES[status] ?? 'Something went wrong', status, isAtOnce: true },
    <>
      <p>{text}</p>
      {status === 404 ? <SearchDocumentation /> : null}
      <p>{isSignedIn ? <a href="/portal">Go to the portal</a> : <a href="/">Go to the start page</a>}</p>
    </>,
  );
}
