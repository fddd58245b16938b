import type { Socket } from 'node:net';

import { isReadNoMore } from './read-no-more.ts';

/** Bytes of bodies that are read in a turn of the event loop before connections wait for a later one. */
const BYTES = 131_072;

/** Connections that are read again in a turn: Node reads 64 KiB of each at a time. */
const CONNECTIONS = 2;

/** A connection that waits, and whether Node would read on: it stops for a body that nobody takes. */
interface Waiting {
  socket: Socket;
  isWanted: boolean;
}

/**
 * Reads bodies in turns. In one turn of the event loop Node takes 2 MiB from each connection that sends as much, before
 * it does anything else: 40 connections kept all others waiting for a second.
 */
export class ReadingTurns {
  #bytes = 0;
  #isPlanned = false;
  /** The one that has waited longest is first. */
  readonly #waiting = new Map<Socket, Waiting>();

  /** Counts what was read of a connection, and reads no more of it in this turn if that was enough. */
  count(socket: Socket, bytes: number): void {
    this.#bytes += bytes;
    this.#plan();
    if (this.#bytes > BYTES && !this.#waiting.has(socket) && !isReadNoMore(socket)) this.#wait(socket);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isPlanned = false;
    this.#bytes = 0;
    for (const waiting of this.#waiting.values().take(CONNECTIONS).toArray()) this.#readOn(waiting);
    if (this.#waiting.size > 0) this.#plan();
  }

  #wait(socket: Socket): void {
    const waiting = { socket, isWanted: true };
    socket.pause();
    // What Node asks for meanwhile is done at the end.
    socket.pause = () => {
      waiting.isWanted = false;
      return socket;
    };
    socket.resume = () => {
      waiting.isWanted = true;
      return socket;
    };
    this.#waiting.set(socket, waiting);
  }

  #readOn({ socket, isWanted }: Waiting): void {
    this.#waiting.delete(socket);
    if (isReadNoMore(socket)) return;
    Reflect.deleteProperty(socket, 'pause');
    Reflect.deleteProperty(socket, 'resume');
    if (isWanted) socket.resume();
  }
}
