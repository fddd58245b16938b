/**
 * Returns the network that one customer can have at most: the /48 that an IPv6 /64 is in, an IPv4 address unchanged.
 * Anyone gets a /48 for nothing, and its 65,536 networks of /64 are one client for what is stored.
 *
 * @param network as `networkOf` in `workspaces/address.ts` returns it.
 */
export function wideNetworkOf(network: string): string {
  return network.split(':').slice(0, 3).join(':');
}
