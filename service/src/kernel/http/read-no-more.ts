import type { Socket } from 'node:net';

/** Connections that nothing more is read from. */
const ENDED = new WeakSet<Socket>();

/** The value that Node's parser gets if another protocol follows the headers. */
const OTHER_PROTOCOL = 2;

/** Place where Node's parser has its function for pieces of bodies, and what that is called. */
const ON_BODY = { place: '3', name: 'parserOnBody' };

/**
 * Stops reading from a connection, and from the packet that is being parsed.
 *
 * Node has no public way to stop its parser within a packet, and parsing 64 KiB of small requests takes some 30 ms, of
 * small pieces of a body 15 ms. A parser that expects another protocol next stops by itself, and one without a function
 * for bodies skips them. If a later Node renames this, the rest of the packet is parsed, and still not served.
 */
export function readNoMore(socket: Socket): void {
  ENDED.add(socket);
  socket.pause();
  // Node resumes the connection for each request before that ends.
  socket.resume = () => socket;
  const parser = parserOf(socket);
  if (parser === undefined) return;
  Reflect.set(parser, 'onIncoming', () => OTHER_PROTOCOL);
  replaceOnBody(socket, () => null);
}

/** Returns true if nothing more is read from a connection. */
export function isReadNoMore(socket: Socket): boolean {
  return ENDED.has(socket);
}

/** Calls back for each piece of the bodies that arrive on a connection, before anyone reads it. */
export function watchPieces(socket: Socket, onPiece: (bytes: number) => void): void {
  replaceOnBody(
    socket,
    (inner) =>
      function (this: unknown, piece: Buffer) {
        onPiece(piece.length);
        const answer: unknown = Reflect.apply(inner, this, [piece]);
        return answer;
      },
  );
}

/** Any function: what `Reflect.apply` takes. */
type Inner = Parameters<typeof Reflect.apply>[0];
type OnBody = (this: unknown, piece: Buffer) => unknown;

/** Replaces a parser's function for bodies until the connection closes: then another one gets the parser. */
function replaceOnBody(socket: Socket, replacement: (inner: Inner) => OnBody | null): void {
  const parser = parserOf(socket);
  if (parser === undefined) return;
  const inner: unknown = Reflect.get(parser, ON_BODY.place);
  if (typeof inner !== 'function') return;
  Reflect.set(parser, ON_BODY.place, replacement(inner));
  if (inner.name === ON_BODY.name) socket.once('close', () => Reflect.set(parser, ON_BODY.place, inner));
}

function parserOf(socket: Socket): object | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' && parser !== null ? parser : undefined;
}
