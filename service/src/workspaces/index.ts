export type { Caller, Subscriber } from './caller.ts';
export { Access } from './identify.ts';
export { systemRandom } from './key.ts';
export {
  createKey,
  KeyLimitError,
  KeyMadeBeforeError,
  keyState,
  revokeKey,
  rotateKey,
  type ApiKey,
  type NewApiKey,
} from './keys.ts';
export {
  EARLIER_KEY,
  findKey,
  findKeys,
  keyChoices,
  type LastKey,
  listAllKeys,
  listKeys,
  replacedAmong,
} from './key-lists.ts';
export { asTest, limitOf } from './limit.ts';
export { PLANS, tenantOf, type Plan, type PlanLimits } from './plan.ts';
export {
  auditSubjectsOf,
  changePlan,
  createWorkspace,
  erasedSlug,
  findWorkspace,
  closedAmong,
  isClosed,
  listWorkspaces,
  planChangedMs,
  renameWorkspace,
  setPlan,
  setSuspended,
  slugsOf,
  workspaceOf,
  type LimitChoice,
  type Workspace,
} from './workspaces.ts';
export { networkReader, proxyReader, type NetworkOf } from './address.ts';
export { shedLoad } from './admission.ts';
export { authenticate, callerOf, decorateCaller, recheckKey, refuseEndedKeys, subscriberOf } from './authenticate.ts';
export type { KnownKey } from './caller.ts';
export { workspaceHoldings } from './founding.ts';
export { isMember, membersOf, ownerAddresses } from './membership.ts';
export { boundPipelining } from './pipelining.ts';
export { boundUnread } from './unread.ts';
export { boundPieces } from './pieces.ts';
export { boundBodies } from './bodies.ts';
export { boundConnections } from './connections.ts';
export { CutNetworks } from './cut-networks.ts';
export { PayingNetworks } from './paying-networks.ts';
export { keyOf, subjectOf, testSubject, workspaceIdOf, workspaceSubject } from './subject.ts';
export { lockWorkspace } from './workspaces.ts';
export type { WorkspaceTables } from './tables.ts';
