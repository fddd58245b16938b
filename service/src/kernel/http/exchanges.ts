import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { Places } from '../limits/places.ts';

/** A request and its answer, as Node has them. */
export interface Exchange {
  request: Pick<IncomingMessage, 'socket' | 'complete'>;
  response: ServerResponse;
}

/** The exchanges of a connection that are not over, in their order, by the callback of each. */
const OPEN = new WeakMap<Socket, Map<() => void, Exchange>>();

/**
 * Calls back once: when an answer has been sent, or when its connection is closed before.
 *
 * Where a client sends several requests without waiting, Node 24 does not close the answers that wait behind the first
 * one when the connection closes (Node 26 does). So the connection is watched as well, with one listener for all its
 * exchanges.
 */
export function onceOver(exchange: Exchange, over: () => void): void {
  const { socket } = exchange.request;
  const open = OPEN.get(socket) ?? watch(socket);
  const end = (): void => {
    if (open.delete(end)) over();
  };
  open.set(end, exchange);
  exchange.response.once('close', end);
  if (socket.destroyed) end();
}

/** Calls back once every request of a connection that has arrived as a whole is over: at once if there is none. */
export function onceAnswered(socket: Socket, answered: () => void): void {
  const last = [...(OPEN.get(socket)?.values() ?? [])].findLast(({ request }) => request.complete);
  if (last === undefined) answered();
  else onceOver(last, answered);
}

function watch(socket: Socket): Map<() => void, Exchange> {
  const open = new Map<() => void, Exchange>();
  OPEN.set(socket, open);
  socket.once('close', () => {
    for (const end of open.keys()) end();
  });
  return open;
}

/** The answers that are not over. */
export interface OpenAnswers {
  taken: () => ServerResponse[];
  /** Returns the bytes that a connection had brought when its last answer was over. */
  readBefore: (socket: Socket) => number;
}

/** Returns the answers that are not over, at any time. */
export function openAnswers(app: FastifyInstance): OpenAnswers {
  const answers = new Places<ServerResponse>();
  const read = new WeakMap<Socket, number>();
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const place = answers.take(response);
    onceOver({ request, response }, () => {
      answers.free(place);
      read.set(socket, socket.bytesRead);
    });
  });
  return { taken: () => answers.taken(), readBefore: (socket) => read.get(socket) ?? 0 };
}
