import type { Socket } from 'node:net';

/** Connections that nothing more is read from. */
const ENDED = new WeakSet<Socket>();

/** The value that Node's parser gets if another protocol follows the headers. */
const OTHER_PROTOCOL = 2;

/** Places where Node's parser has its functions for pieces of bodies and for their ends, and what those are called. */
const ON_BODY = { place: '3', name: 'parserOnBody' };
const ON_END = { place: '4', name: 'parserOnMessageComplete' };
/** The one for what was read at a time, which each connection has for itself. */
const ON_READ = { place: '5', name: '' };

/** Pieces of fewer bytes are joined. */
const SMALL_BYTES = 1_024;

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
  replace(socket, ON_BODY, () => null);
}

/** Returns true if nothing more is read from a connection. */
export function isReadNoMore(socket: Socket): boolean {
  return ENDED.has(socket);
}

/**
 * Calls back for each piece of the bodies that arrive on a connection, and joins small ones of a packet: each takes half
 * a kilobyte, for as long as its request waits.
 */
export function watchPieces(socket: Socket, onPiece: (bytes: number) => void): void {
  const parser = parserOf(socket);
  let joined: Buffer[] = [];
  let onBody: Inner | undefined;
  const passOn = (): void => {
    const pieces = joined;
    joined = [];
    // By now another connection may have the parser.
    if (pieces.length === 0 || parserOf(socket) !== parser || ENDED.has(socket)) return;
    if (onBody !== undefined) Reflect.apply(onBody, parser, [Buffer.concat(pieces)]);
  };
  const mayJoin = replace(socket, ON_END, (inner) => () => {
    passOn();
    const answer: unknown = Reflect.apply(inner, parser, []);
    return answer;
  });
  replace(socket, ON_BODY, (inner) => {
    onBody = inner;
    return (piece: Buffer) => {
      onPiece(piece.length);
      if (mayJoin && piece.length < SMALL_BYTES) {
        if (joined.push(piece) === 1) setImmediate(passOn);
        return undefined;
      }
      passOn();
      const answer: unknown = Reflect.apply(inner, parser, [piece]);
      return answer;
    };
  });
}

/** Calls back whenever something was read of a connection, after its requests and bodies were taken out of it. */
export function watchReads(socket: Socket, onRead: () => void): void {
  const parser = parserOf(socket);
  replace(socket, ON_READ, (inner) => (read) => {
    Reflect.apply(inner, parser, [read]);
    onRead();
  });
}

/** Any function: what `Reflect.apply` takes. */
type Inner = Parameters<typeof Reflect.apply>[0];
type OnPart = (part: Buffer) => unknown;

/**
 * Replaces a function of a parser until the connection closes: then another one gets the parser.
 *
 * @returns false: there is no such function.
 */
function replace(
  socket: Socket,
  { place, name }: { place: string; name: string },
  replacement: (inner: Inner) => OnPart | null,
): boolean {
  const parser = parserOf(socket);
  if (parser === undefined) return false;
  const inner: unknown = Reflect.get(parser, place);
  if (typeof inner !== 'function') return false;
  Reflect.set(parser, place, replacement(inner));
  if (inner.name === name) socket.once('close', () => Reflect.set(parser, place, inner));
  return true;
}

function parserOf(socket: Socket): object | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' && parser !== null ? parser : undefined;
}
