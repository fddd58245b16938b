export { isPublicAddress } from './addresses.ts';
export { waitAskedFor } from './agent.ts';
// What connects is in agent.ts, which loads an HTTP client: import it only where that is sure to be used.
export type { ResolveName } from './agent.ts';
