export type { Caller, Subscriber } from './caller.ts';
export { Access } from './identify.ts';
export { systemRandom } from './key.ts';
export {
  createKey,
  KeyLimitError,
  KeyMadeBeforeError,
  keyState,
  listKeys,
  revokeKey,
  rotateKey,
  type ApiKey,
  type NewApiKey,
} from './keys.ts';
export type { PlanLimits } from '../kernel/config/config.ts';
export { asTest, limitOf } from './plan.ts';
export {
  auditSubjectsOf,
  changePlan,
  createWorkspace,
  findWorkspace,
  insertWorkspace,
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
