import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** An address of a database that can be moved to another server, like a name in DNS, and whose line can be cut. */
export class MovingAddress {
  readonly #server = createServer((client) => this.#join(client));
  readonly #sockets = new Set<Socket>();
  #leadsTo: number;
  #isCut = false;
  #isRefusing = false;

  private constructor(leadsTo: number) {
    this.#leadsTo = leadsTo;
  }

  /** Listens on 127.0.0.1. @param leadsTo a port of 127.0.0.1. */
  static async open(leadsTo: number): Promise<MovingAddress> {
    const address = new MovingAddress(leadsTo);
    address.#server.listen(0, '127.0.0.1');
    await once(address.#server, 'listening');
    return address;
  }

  /** Returns the URL of a database behind it. */
  url(database = 'postgres'): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The address is not open.');
    return `postgres://marque@127.0.0.1:${address.port}/${database}`;
  }

  /** New connections go there; open ones stay where they are. */
  leadTo(port: number): void {
    this.#leadsTo = port;
  }

  /** Closes every connection, and each new one at once, as a proxy does that has no server to lead to; or ends that. */
  refuse(isRefusing = true): void {
    this.#isRefusing = isRefusing;
    if (isRefusing) for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing passes any more, in either direction, and no connection learns so. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lets later traffic pass. Connections that were open stay cut, as after a firewall has forgotten them. */
  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    if (this.#isRefusing) {
      client.destroy();
      return;
    }
    const isCut = this.#isCut;
    const server = connect(this.#leadsTo, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('data', (chunk) => other.write(chunk));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      if (isCut) one.pause();
    }
  }
}
