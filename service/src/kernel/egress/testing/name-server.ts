import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on this machine. */
export interface NameServer extends AsyncDisposable {
  /** Its address and port. */
  address: string;
  /** The IPv4 addresses of each name; other names do not exist, and none has IPv6 ones. */
  names: Map<string, readonly string[]>;
  /** The names that were looked up. */
  asked: string[];
  /** Answers a question later than others: resolves when it is time. */
  delay: (name: string) => Promise<unknown>;
}

/** The part of a question's type (RFC 1035, 3.2.2) that asks for IPv4 addresses. */
const TYPE_A = 1;
const HEADER_BYTES = 12;
/** A response of a server that looks further itself, with its codes "no error" and "no such name". */
const FOUND = 0x81_80;
const NO_SUCH_NAME = 0x81_83;
/** A record of the question's name: its type, its class, no time to live, four bytes. */
const RECORD = Buffer.from('c00c00010001000000000004', 'hex');

/** Starts a name server, which answers by UDP. */
export async function startNameServer(names: Record<string, readonly string[]> = {}): Promise<NameServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    names: new Map(Object.entries(names)),
    asked: [],
    delay: async () => {},
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
  let isOpen = true;
  /** Names with the numbers of their questions, which are repeated where an answer is late. */
  const seen = new Set<string>();
  socket.on('close', () => (isOpen = false));
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    const question = `${name} ${message.readUInt16BE(0)}`;
    if (type === TYPE_A && !seen.has(question)) {
      seen.add(question);
      server.asked.push(name);
    }
    const answer = answerTo(message.subarray(0, end), server.names.get(name), type);
    void server.delay(name).then(() => isOpen && socket.send(answer, port, address));
  });
  return server;
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** @param question without what follows it, which is not repeated. @param addresses undefined: there is no such name. */
function answerTo(question: Buffer, addresses: readonly string[] | undefined, type: number): Buffer {
  const given = type === TYPE_A ? (addresses ?? []) : [];
  const answer = Buffer.from(question);
  answer.writeUInt16BE(addresses === undefined ? NO_SUCH_NAME : FOUND, 2);
  for (const [index, count] of [1, given.length, 0, 0].entries()) answer.writeUInt16BE(count, 4 + 2 * index);
  return Buffer.concat([answer, ...given.flatMap((one) => [RECORD, Buffer.from(one.split('.').map(Number))])]);
}
