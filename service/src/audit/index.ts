export { appendAudit, takeTurn } from './append.ts';
export type { AuditAct, AuditEntry } from './entry.ts';
export { type AuditQuery, listAudit } from './read.ts';
export { type AuditFinding, verifyAudit } from './verify.ts';
