import type { TokenBuckets } from './token-buckets.ts';

/**
 * Returns the network that one customer can have at most: the /48 that an IPv6 /64 is in, an IPv4 address unchanged.
 * Anyone gets a /48 for nothing, and its 65,536 networks of /64 are one client for what is stored.
 *
 * @param network as `networkOf` in `workspaces/address.ts` returns it.
 */
export function wideNetworkOf(network: string): string {
  return network.split(':').slice(0, 3).join(':');
}

/** Takes several tokens or none. @returns 0, or the seconds until there is another one. */
export function takeAll(buckets: TokenBuckets, client: string, count: number, nowMs: number): number {
  for (let taken = 0; taken < count; taken++) {
    const seconds = buckets.take(client, nowMs);
    if (seconds === 0) continue;
    giveBackAll(buckets, client, taken);
    return seconds;
  }
  return 0;
}

/** Returns several tokens. */
export function giveBackAll(buckets: TokenBuckets, client: string, count: number): void {
  for (let given = 0; given < count; given++) buckets.giveBack(client);
}
