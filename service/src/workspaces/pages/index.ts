export {
  actingIn,
  activeOnly,
  actorOf,
  callerOf,
  ownerOnly,
  type PageRequest,
  recheckIn,
  type WorkspaceContext,
  type WorkspaceRoutes,
  workspaceRoutes,
} from './context.ts';
export { FIRST_STEPS, sendPortalPage } from './frame.tsx';
export { KeyTable, placeIn, readKeys, RevokeKey } from './key-table.tsx';
export { PlanTable, limitText, planName } from './plan-table.tsx';
