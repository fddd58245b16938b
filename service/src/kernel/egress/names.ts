import type { LookupAddress } from 'node:dns';
import { callbackify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';

import { LRUCache } from 'lru-cache';

import { scriptBeside, ThreadLostError, ThreadPool } from '../threads/pool.ts';
import { MOST_ADDRESSES, type ResolveName } from './agent.ts';
import type { NameAnswer, NameQuestion } from './names-thread.ts';

/** The heap of the thread that asks: one answer takes a megabyte at most. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

/** The time that an idle thread lives: longer than any look-up, as it counts as idle during them. */
const IDLE_MS = 60_000;

/** The time after which a thread that takes no question is stuck. */
const STUCK_MS = 10_000;

/** Names whose addresses are remembered, and for how long: a name that is asked for all the time is looked up seldom. */
const KEPT = { max: 1_000, ttl: 30_000 };

/**
 * Returns a finder of addresses that asks the name servers. `dns.lookup` takes a thread for each name, of which there are
 * few: strangers' names that nobody answers for would hold them, and with them the connections to the database. It knows
 * no names of the machine's own.
 *
 * One thread of its own asks for all names at once: reading the thousands of records that an answer can have takes tens
 * of milliseconds. Those that want the same name at once share a look-up. Of more addresses than a name may have it gives
 * one more than that.
 *
 * @param servers addresses of name servers, with their ports. Default: those that the machine has at the time.
 */
export function publicNames(servers?: readonly string[]): ResolveName {
  const threads = new ThreadPool<NameQuestion, undefined>({
    script: scriptBeside(import.meta.url, 'names-thread'),
    workerData: undefined,
    threads: 1,
    limits: LIMITS,
    idleMs: IDLE_MS,
    timeoutMs: STUCK_MS,
    // It takes a question at once, and has its answer later.
    requestsAThread: Infinity,
  });
  const known = new LRUCache<string, LookupAddress[]>({
    ...KEPT,
    fetchMethod: (hostname) => lookUp(threads, hostname, servers),
  });
  const find = callbackify(async (hostname: string) => (await known.fetch(hostname)) ?? []);
  return (hostname, _options, done) =>
    find(hostname, (error, addresses) => done(error, error === null ? addresses : []));
}

/** @throws an error with the code of `node:dns`, or ThreadLostError. */
async function lookUp(
  threads: ThreadPool<NameQuestion, undefined>,
  hostname: string,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  const { port1: answers, port2: port } = new MessageChannel();
  const answered = Promise.withResolvers<NameAnswer>();
  answers.once('message', answered.resolve);
  answers.once('close', () => answered.reject(new ThreadLostError('A thread ended before it found a name.')));
  const question = { hostname, servers, most: MOST_ADDRESSES + 1, port };
  try {
    const [answer] = await Promise.all([answered.promise, threads.run(question, [port])]);
    if (answer.kind === 'found') return answer.addresses;
    throw Object.assign(new Error('A name was not found.'), { code: answer.code, syscall: 'query' });
  } finally {
    answers.close();
  }
}
