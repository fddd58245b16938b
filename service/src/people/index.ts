export type { Accounts } from './accounts.ts';
export { erasePeople } from './erase.ts';
export {
  actorOf,
  administratorOf,
  existing,
  findPeople,
  findPerson,
  notFound,
  personOf,
  recheckOf,
  setCookies,
} from './guard.ts';
export {
  findLink,
  makeLink,
  openInvitation,
  openInvitations,
  type MailedLink,
  useLink,
  withdrawInvitationsOf,
  withdrawInvitationsTo,
} from './links.ts';
export { loadSignIn, openPeople, type People } from './open.ts';
export { hasSession, insertPerson } from './people.ts';
export { authSecret } from './secret.ts';
export { type AccountTables, ROLES, type Role } from './tables.ts';
export type { Person } from './types.ts';
