export { isPublicAddress } from './addresses.ts';
export { AddressNotAllowed, openAgent, type ResolveName } from './agent.ts';
export { waitAskedFor } from './retry-after.ts';
