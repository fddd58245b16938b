import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';

import { viewerOf } from '../../features/accounts/guard.ts';
import { sendPage } from '../../platform/ui/html.tsx';

/** Answers a link that was used or has expired: the title, and what to do instead. */
export function sendGone(
  request: FastifyRequest,
  reply: FastifyReply,
  title: string,
  advice: ComponentChildren,
): FastifyReply {
  const children = (
    <>
      <h1>{title}</h1>
      <p>{advice}</p>
    </>
  );
  return sendPage(reply, { title, viewer: viewerOf(request), width: 'narrow', children }, 404);
}
