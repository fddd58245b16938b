export { type Act, type ActDeps, audited } from './audited.ts';
export type { Actor, AuditEntry } from './entry.ts';
export { listAudit } from './read.ts';
export { type AuditFinding, verifyAudit } from './read.ts';
