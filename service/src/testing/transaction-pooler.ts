import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The parameters of a connection that PgBouncer knows with its default settings, besides the two that it needs. */
const KNOWN_PARAMETERS = new Set([
  'user',
  'database',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
  'application_name',
]);

const PROTOCOL = 196_608;
const TLS_REQUEST = 80_877_103;
/** Ready for a query, outside of a transaction. */
const IDLE = message('Z', Buffer.from('I'));
/** Authenticated; no key with which to cancel. */
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), IDLE]);
/** The messages after which a client waits for the server: a simple query, and the end of an extended one. */
const WAITS_AFTER = new Set(['Q', 'S']);

/**
 * Imitates PgBouncer in transaction mode, for tests without Debian's package: each transaction gets the server
 * connection that has been idle for longest, so that no two in a row see the same session, and startup parameters that
 * it does not know are refused.
 */
export class TransactionPooler {
  readonly #server = createServer((client) => void this.#serve(client).catch(() => client.destroy()));
  readonly #clients = new Set<Socket>();
  readonly #connections: ServerConnection[] = [];
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: ((connection: ServerConnection) => void)[] = [];

  /** Listens on 127.0.0.1, before a database of a server that trusts every user. */
  static async open(url: string, connections = 4): Promise<TransactionPooler> {
    const pooler = new TransactionPooler();
    for (let count = 0; count < connections; count++) {
      const connection = await ServerConnection.open(new URL(url));
      pooler.#connections.push(connection);
      pooler.#free(connection);
    }
    pooler.#server.listen(0, '127.0.0.1');
    await once(pooler.#server, 'listening');
    return pooler;
  }

  /** The URL of the database behind it. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The pooler is not open.');
    return `postgres://marque@127.0.0.1:${address.port}/database`;
  }

  close(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
    for (const connection of this.#connections) connection.close();
  }

  #free(connection: ServerConnection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else next(connection);
  }

  async #take(): Promise<ServerConnection> {
    return this.#idle.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #serve(client: Socket): Promise<void> {
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    const bytes = new Bytes(client);
    const refused = await refusedParameter(bytes, client);
    if (refused !== undefined) {
      const report = `SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`;
      client.end(message('E', Buffer.from(report)));
      return;
    }
    client.write(WELCOME);
    let connection: ServerConnection | undefined;
    for (let asked: Buffer[] = []; ;) {
      const next = await bytes.message();
      if (next === undefined || next.type === 'X') break;
      asked.push(next.whole);
      if (!WAITS_AFTER.has(next.type)) continue;
      connection ??= await this.#take();
      const isIdle = await connection.ask(Buffer.concat(asked), client);
      asked = [];
      if (!isIdle) continue;
      this.#free(connection);
      connection = undefined;
    }
    client.end();
  }
}

/** A connection to PostgreSQL, which is lent to one client at a time. */
class ServerConnection {
  readonly #socket: Socket;
  readonly #bytes: Bytes;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#bytes = new Bytes(socket);
  }

  static async open({ hostname, port, href, username }: URL): Promise<ServerConnection> {
    const database = href.slice(href.lastIndexOf('/') + 1);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const parameters = `user\0${username}\0database\0${database}\0\0`;
    const body = Buffer.concat([number(PROTOCOL), Buffer.from(parameters)]);
    socket.write(Buffer.concat([number(body.length + 4), body]));
    const connection = new ServerConnection(socket);
    await connection.#answers(() => {});
    return connection;
  }

  /** Passes messages on, and the answers back. @returns whether no transaction is open afterwards. */
  async ask(messages: Buffer, client: Socket): Promise<boolean> {
    this.#socket.write(messages);
    return this.#answers((whole) => client.write(whole));
  }

  close(): void {
    this.#socket.destroy();
  }

  async #answers(pass: (whole: Buffer) => void): Promise<boolean> {
    for (;;) {
      const next = await this.#bytes.message();
      if (next === undefined) throw new Error('PostgreSQL closed the connection.');
      pass(next.whole);
      if (next.type === 'Z') return next.whole.equals(IDLE);
    }
  }
}

/** The bytes that arrive at a socket, by the message. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket.on('error', () => socket.destroy())[Symbol.asyncIterator]();
  }

  /** Returns the next message with its type and length; undefined when the connection has ended. */
  async message(): Promise<{ type: string; whole: Buffer } | undefined> {
    const start = await this.#peek(5);
    if (start === undefined) return undefined;
    const whole = await this.#take(start.readUInt32BE(1) + 1);
    return whole && { type: String.fromCodePoint(whole[0] ?? 0), whole };
  }

  /** Returns the body of a message without a type, as the first ones of a connection are. */
  async untyped(): Promise<Buffer> {
    const start = await this.#peek(4);
    const whole = start && (await this.#take(start.readUInt32BE(0)));
    if (whole === undefined) throw new Error('The client left.');
    return whole.subarray(4);
  }

  async #peek(length: number): Promise<Buffer | undefined> {
    while (this.#rest.length < length) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    return this.#rest.subarray(0, length);
  }

  async #take(length: number): Promise<Buffer | undefined> {
    const taken = await this.#peek(length);
    if (taken !== undefined) this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

/** Reads the start of a client's connection. @returns a parameter that the pooler does not know. */
async function refusedParameter(bytes: Bytes, client: Socket): Promise<string | undefined> {
  let body = await bytes.untyped();
  if (body.readUInt32BE(0) === TLS_REQUEST) {
    client.write('N');
    body = await bytes.untyped();
  }
  const words = body.subarray(4).toString().split('\0');
  return words.find((word, index) => index % 2 === 0 && word !== '' && !KNOWN_PARAMETERS.has(word.toLowerCase()));
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), number(body.length + 4), body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
