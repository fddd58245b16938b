import type { Command } from '../kernel/cli/command.ts';
import type { Io } from '../kernel/cli/io.ts';
import type { CommandName } from '../kernel/cli/names.ts';

/** A command's line in the help, and its module. */
interface CommandEntry {
  summary: string;
  load: () => Promise<{ define: (command: Command, io: Io) => void }>;
}

/** Every command, with its line in the help. Each loads its modules on demand, so that `decode` does not wait for the service's parts. */
export const COMMANDS: Readonly<Record<CommandName, CommandEntry>> = {
  serve: {
    summary: 'run the HTTP service until SIGINT or SIGTERM; settings come from the environment (marque config)',
    load: () => import('./serve.ts'),
  },
  health: {
    summary: 'check whether the service on this machine is ready for requests: exit status 0 or 1',
    load: () => import('./health.ts'),
  },
  decode: {
    summary: 'decode VINs, with every field; needs no service and charges nothing',
    load: () => import('../decode/cli/decode.ts'),
  },
  workspace: {
    summary: 'manage workspaces, to which keys, plans, and limits belong',
    load: () => import('../workspaces/cli/workspace.ts'),
  },
  key: { summary: 'manage API keys', load: () => import('../workspaces/cli/key.ts') },
  webhook: { summary: 'manage webhooks, and see what was delivered', load: () => import('../webhooks/cli/webhook.ts') },
  admin: { summary: 'manage the administrators of the service', load: () => import('../people/cli.ts') },
  corrections: {
    summary: 'review reports of wrong decodes, and correct them',
    load: () => import('../corrections/cli/index.ts'),
  },
  audit: { summary: 'show and verify the log of who did what, when, and why', load: () => import('../admin/cli.ts') },
  privacy: {
    summary: 'export or erase what is stored about a vehicle or a workspace',
    load: () => import('../privacy/cli.ts'),
  },
  catalog: {
    summary: 'build, import, and compare the facts that VINs are decoded with',
    load: () => import('../learning/cli/catalog.ts'),
  },
  db: { summary: 'migrate, back up, restore, and verify the database', load: () => import('./db.ts') },
  mcp: {
    summary: 'serve an assistant over standard input and output (Model Context Protocol)',
    load: () => import('../decode/mcp/cli.ts'),
  },
  config: { summary: 'show the effective settings, with passwords masked', load: () => import('./config.ts') },
};
