import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { MessagePort } from 'node:worker_threads';

import { answerRequests } from '../threads/thread.ts';

/** A name whose addresses are wanted. */
export interface NameQuestion {
  hostname: string;
  /** Undefined: those of the machine. */
  servers: readonly string[] | undefined;
  /** Addresses that are given. */
  most: number;
  /** Gets the `NameAnswer`: answers come in any order, so that a silent name server delays no other name. */
  port: MessagePort;
}

/** The answer to a `NameQuestion`. */
export type NameAnswer = { kind: 'found'; addresses: LookupAddress[] } | { kind: 'failed'; code: string };

/** The time for an answer of a name server, in milliseconds, and how often it is asked: less than a connection may take. */
const NAME_SERVERS = { timeout: 1_000, maxTimeout: 1_000, tries: 2 };

answerRequests<NameQuestion, undefined>((question) => {
  void answer(question);
  return { answer: undefined, transfer: [] };
});

async function answer({ port, ...question }: NameQuestion): Promise<void> {
  port.postMessage(await addressesOf(question));
  port.close();
}

async function addressesOf({ hostname, servers, most }: Omit<NameQuestion, 'port'>): Promise<NameAnswer> {
  // A new one each time: it never notices that the machine has other name servers.
  const resolver = new Resolver(NAME_SERVERS);
  if (servers !== undefined) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  // A name mostly has addresses of one kind.
  if (four.status === 'rejected' && six.status === 'rejected') return { kind: 'failed', code: four.reason.code };
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  return { kind: 'found', addresses: addresses.slice(0, most) };
}
