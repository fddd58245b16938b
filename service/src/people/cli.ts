import { operator, withDatabase } from '../kernel/cli/settings.ts';
import type { Command } from '../kernel/cli/command.ts';

import { Accounts } from './accounts.ts';
import { appointAdministrator, removeAdministrator } from './administrators.ts';
import { emailOf, NO_EMAIL } from './pages/context.ts';
import { authSecret } from './secret.ts';
import { endSessions } from './people.ts';
import { audited } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { readSetting, SERVICE_ADDRESS } from '../kernel/db/settings.ts';
import { CommandError, type Io, type JsonOption, write, writeJson, writeNote, writeOutcome } from '../kernel/cli/io.ts';

/** Adds `admin create`, `admin remove` and `admin sign-out`. */
export function define(admin: Command, io: Io): void {
  admin.reads('DATA_DIR', 'DATABASE_URL');
  admin
    .command('create')
    .description(
      'make someone an administrator, and print a link for choosing a password (valid for one hour); the password, the second factor and the sessions of an account that exists already end',
    )
    .requiredOption('--email <address>', 'their e-mail address')
    .option('--name <name>', 'their name', 'Administrator')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: CreateOptions) => create(io, options));
  admin
    .command('remove')
    .description('make an administrator an ordinary person again, and end their sessions; the account stays')
    .requiredOption('--email <address>', 'their e-mail address')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: RemoveOptions) => remove(io, options));
  admin
    .command('sign-out')
    .description('end the sessions of one person or of everyone, who then have to sign in again')
    .option('--email <address>', 'the person whose sessions to end')
    .option('--everyone', 'end the sessions of everyone')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: SignOutOptions) => signOut(io, options));
}

interface CreateOptions extends JsonOption {
  email: string;
  name: string;
}

interface RemoveOptions extends JsonOption {
  email: string;
}

interface SignOutOptions extends JsonOption {
  email?: string;
  everyone?: boolean;
}

async function signOut(io: Io, options: SignOutOptions): Promise<void> {
  const { email, everyone = false } = options;
  if ((email === undefined) !== everyone) throw new CommandError('Give either --email ADDRESS or --everyone.');
  await withDatabase(io, async (database) => {
    const accounts = await accountsOn(database);
    const id = email === undefined ? undefined : await accounts.idOf(email.trim().toLowerCase());
    if (!everyone && id === undefined) throw new CommandError(`No account has the address ${email}.`);
    const ended = await audited({ database, clock: systemClock }, operator(), async ({ transaction, appendEntry }) => {
      const count = await endSessions(transaction, id);
      const subject = email === undefined ? 'everyone' : `person:${email}`;
      await appendEntry({ action: 'sessions.ended', subject, details: { ended: count } });
      return count;
    });
    return writeOutcome(io, options, { ended }, `Sessions ended: ${ended}`);
  });
}

async function remove(io: Io, options: RemoveOptions): Promise<void> {
  const email = options.email.trim().toLowerCase();
  await withDatabase(io, async (database) => {
    const removal = await removeAdministrator({ database, clock: systemClock }, email, operator());
    if (removal.kind === 'no account') throw new CommandError(`No account has the address ${email}.`);
    if (removal.kind === 'no administrator') throw new CommandError(`${email} is not an administrator.`);
    const { sessions, left } = removal;
    if (left === 0) await writeNote(io, 'No administrator is left: marque admin create makes one.\n');
    const text = `${email} is no longer an administrator, and is signed out everywhere (sessions ended: ${sessions}).`;
    return writeOutcome(io, options, { email, sessionsEnded: sessions, administrators: left }, text);
  });
}

async function create(io: Io, options: CreateOptions): Promise<void> {
  const email = emailOf(options.email);
  if (email === undefined) throw new CommandError(`"${options.email}": ${NO_EMAIL}`);
  const name = options.name.trim().slice(0, 80) || 'Administrator';
  await withDatabase(io, async (database, { baseUrl, host, port }) => {
    const made = await appointAdministrator({ database, clock: systemClock }, { email, name }, operator());
    const { id, ended, isNew } = made;
    const address = baseUrl ?? (await readSetting(database.kysely, SERVICE_ADDRESS)) ?? `http://${host}:${port}`;
    const link = `${address}/reset/${made.token}`;
    if (options.json === true) {
      const sessionsEnded = ended?.sessions ?? 0;
      return writeJson(io.stdout, { id, email, created: ended === undefined, isNew, sessionsEnded, link });
    }
    const is = isNew ? 'is now an administrator' : 'was already an administrator';
    await writeNote(io, `${email} ${is}.${ended === undefined ? '' : ` ${endedText(ended)}`}\n`);
    await writeNote(io, 'Open this link within an hour to choose a password:\n');
    await write(io.stdout, `${link}\n`);
    return writeNote(io, 'Then sign in and set up a second factor, which the administration pages require.\n');
  });
}

function endedText({ sessions, hadSecondFactor }: { sessions: number; hadSecondFactor: boolean }): string {
  const ended = hadSecondFactor ? 'password and second factor no longer work' : 'password no longer works';
  return `There was an account with this address: it is signed out everywhere (sessions ended: ${sessions}), and its ${ended}.`;
}

async function accountsOn(database: Database): Promise<Accounts> {
  return new Accounts({ database, clock: systemClock, secret: await authSecret(database), isSecure: false });
}
