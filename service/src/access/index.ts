export type { Caller, PublicClient, Refusal, Subscriber } from './caller.ts';
export { Access, type AccessOptions, type AccessRequest } from './identify.ts';
export { systemRandom, type Random } from './key.ts';
export { createKey, listKeys, revokeKey, rotateKey, type ApiKey, type NewApiKey } from './keys.ts';
export { limitOf, type PlanLimits } from './plan.ts';
export {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  setPlan,
  setSuspended,
  workspaceOf,
  type LimitChoice,
  type Workspace,
} from './workspaces.ts';
