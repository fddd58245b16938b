import type { Command } from '../kernel/cli/command.ts';

import { type AuditEntry, listAudit, verifyAudit } from '../kernel/audit/index.ts';
import { CommandError, type Io, type JsonOption, write, writeJson, writeList } from '../kernel/cli/io.ts';
import { withDatabase } from '../kernel/cli/settings.ts';

/** Adds `audit list|verify`. */
export function define(audit: Command, io: Io): void {
  audit.reads('DATA_DIR', 'DATABASE_URL');

  audit
    .command('list')
    .description('list the newest entries')
    .option('--subject <subject>', 'only entries about this subject, such as report:ID')
    .option('--json', 'print them as JSON')
    .action(async (options: { subject?: string } & JsonOption) => list(io, options));

  audit
    .command('verify')
    .description('check the chain of hashes from the first entry to the last; fail if it is broken')
    .option('--json', 'print the result as JSON')
    .action(async (options: JsonOption) => verify(io, options));
}

async function list(io: Io, { subject, ...options }: { subject?: string } & JsonOption): Promise<void> {
  const entries = await withDatabase(io, (database) => listAudit(database, subject === undefined ? {} : { subject }));
  return writeList(io, options, entries.map(shown), {
    Entry: ({ seq }) => String(seq),
    At: ({ at }) => at,
    Who: ({ actor }) => actor,
    What: ({ action }) => action,
    To: (entry) => entry.subject,
    Why: ({ details }) => (typeof details['reason'] === 'string' ? details['reason'] : ''),
  });
}

function shown({ atMs, ...entry }: AuditEntry) {
  return { ...entry, at: new Date(atMs).toISOString() };
}

async function verify(io: Io, { json }: JsonOption): Promise<void> {
  const finding = await withDatabase(io, verifyAudit);
  if (json === true) await writeJson(io.stdout, finding);
  else if (finding.kind === 'whole') await write(io.stdout, `The log is intact: ${finding.entries} entries.\n`);
  if (finding.kind === 'broken') throw new CommandError(`The audit log is broken: ${finding.what}`);
}
