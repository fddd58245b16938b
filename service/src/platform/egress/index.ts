export { isPublicAddress } from './addresses.ts';
export { AddressNotAllowedError, openAgent, type ResolveName } from './agent.ts';
export { waitAskedFor } from './retry-after.ts';
