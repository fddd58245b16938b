import type { CommandEntry } from './run.ts';
import type { Io } from './io.ts';
import { runProgram } from './run.ts';

/** Every command. What one needs is loaded when it is named: `decode` shall not wait for the service's parts. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the HTTP service until SIGINT or SIGTERM; settings come from the environment (marque config)',
    load: async () => (await import('./serve.ts')).addServe,
  },
  {
    name: 'health',
    summary: 'check whether the service on this machine is ready for requests: exit status 0 or 1',
    load: async () => (await import('./health.ts')).addHealth,
  },
  {
    name: 'decode',
    summary: 'decode VINs, with every field; needs no service and charges nothing',
    load: async () => (await import('./decode.ts')).addDecode,
  },
  {
    name: 'workspace',
    summary: 'manage workspaces, to which keys, plans, and limits belong',
    load: async () => (await import('./workspace.ts')).addWorkspace,
  },
  { name: 'key', summary: 'manage API keys', load: async () => (await import('./key.ts')).addKey },
  {
    name: 'webhook',
    summary: 'manage webhooks, and see what was delivered',
    load: async () => (await import('./webhook.ts')).addWebhook,
  },
  {
    name: 'admin',
    summary: 'manage the administrators of the service',
    load: async () => (await import('./admin.ts')).addAdmin,
  },
  {
    name: 'corrections',
    summary: 'review reports of wrong decodes, and correct them',
    load: async () => (await import('./corrections/index.ts')).addCorrections,
  },
  {
    name: 'audit',
    summary: 'show and verify the log of who did what, when, and why',
    load: async () => (await import('./audit.ts')).addAudit,
  },
  {
    name: 'privacy',
    summary: 'export or erase what is stored about a vehicle or a workspace',
    load: async () => (await import('./privacy.ts')).addPrivacy,
  },
  {
    name: 'catalog',
    summary: 'build, import, and compare the facts that VINs are decoded with',
    load: async () => (await import('./catalog.ts')).addCatalog,
  },
  {
    name: 'db',
    summary: 'migrate, back up, restore, and verify the database',
    load: async () => (await import('./db.ts')).addDb,
  },
  {
    name: 'mcp',
    summary: 'serve an assistant over standard input and output (Model Context Protocol)',
    load: async () => (await import('./mcp.ts')).addMcp,
  },
  {
    name: 'config',
    summary: 'show the effective settings, with passwords masked',
    load: async () => (await import('./config.ts')).addConfig,
  },
];

/**
 * Runs one command line, without the program's own name.
 *
 * @returns the exit status: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  return runProgram(words, io, COMMANDS);
}
