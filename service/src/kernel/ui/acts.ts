import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { FlashMessages } from './flash.ts';

/** A page whose forms do something. */
interface ActingPage<Params, Result> {
  flash: FlashMessages;
  /** Its path, with the names of its parameters: `/admin/reports/:id`. */
  path: string;
  /** Shows it, with what a form did or why it did nothing. */
  send: (
    request: FastifyRequest<{ Params: Params }>,
    reply: FastifyReply,
    result: Partial<Result>,
  ) => Promise<FastifyReply>;
}

/**
 * Adds a page, and gives what adds its forms by their names: a form leads back to the page, which says once what was `done`;
 * if nothing was, it shows the page again.
 */
export function addActingPage<Params extends object, Result extends { done?: string }>(
  scope: FastifyInstance,
  { flash, path, send }: ActingPage<Params, Result>,
): (name: string, work: (request: FastifyRequest<{ Params: Params }>) => Promise<Result>) => void {
  scope.get<{ Params: Params }>(path, async (request, reply) => send(request, reply, flash.take<Result>(reply) ?? {}));
  return (name, work) => {
    scope.post<{ Params: Params }>(`${path}/${name}`, async (request, reply) => {
      const result = await work(request);
      const { done } = result;
      return done === undefined
        ? send(request, reply, result)
        : flash.redirect(reply, addressOf(path, request.url), { done });
    });
  };
}

/** The page's address, with which that of each of its forms begins. */
function addressOf(path: string, url: string): string {
  return url.split('/', path.split('/').length).join('/');
}
