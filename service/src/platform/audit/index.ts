export { appendAudit, takeTurn } from './append.ts';
export type { AuditEntry } from './entry.ts';
export { listAudit } from './read.ts';
export { type AuditFinding, verifyAudit } from './verify.ts';
