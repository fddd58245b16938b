export { type Actor, appendAudit } from './append.ts';
export { type Act, type ActDeps, audited } from './audited.ts';
export { type AuditEntry, listAudit, named } from './list.ts';
export { type AuditFinding, verifyAudit } from './verify.ts';
