import { type CommandName, COMMAND_NAMES } from '../kernel/cli/names.ts';
import type { CommandEntry } from '../kernel/slice.ts';
import { SLICES } from '../slices.ts';

/** The commands of the service as a whole. */
const OWN: Partial<Record<CommandName, CommandEntry>> = {
  serve: {
    summary: 'run the HTTP service until SIGINT or SIGTERM; settings come from the environment (marque config)',
    load: () => import('./serve.ts'),
  },
  health: {
    summary: 'check whether the service on this machine is ready for requests: exit status 0 or 1',
    load: () => import('./health.ts'),
  },
  db: { summary: 'migrate, back up, restore, and verify the database', load: () => import('./db.ts') },
  config: { summary: 'show the effective settings, with passwords masked', load: () => import('./config.ts') },
};

/**
 * Every command with its line in the help, in the order of the help. Each loads its modules on demand, so that `decode` does not
 * wait for the service's parts.
 */
export const COMMANDS: readonly (readonly [CommandName, CommandEntry])[] = commandsInOrder();

function commandsInOrder(): [CommandName, CommandEntry][] {
  const known: Partial<Record<CommandName, CommandEntry>> = Object.assign(
    {},
    OWN,
    ...SLICES.map(({ commands }) => commands),
  );
  return COMMAND_NAMES.flatMap((name) => {
    const entry = known[name];
    return entry === undefined ? [] : [[name, entry]];
  });
}
