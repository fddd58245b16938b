/** Every command, with its line in the help. Each loads its modules on demand, so that `decode` does not wait for the service's parts. */
export const COMMANDS = {
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
    load: () => import('./decode.ts'),
  },
  workspace: {
    summary: 'manage workspaces, to which keys, plans, and limits belong',
    load: () => import('./workspace.ts'),
  },
  key: { summary: 'manage API keys', load: () => import('./key.ts') },
  webhook: { summary: 'manage webhooks, and see what was delivered', load: () => import('./webhook.ts') },
  admin: { summary: 'manage the administrators of the service', load: () => import('./admin.ts') },
  corrections: {
    summary: 'review reports of wrong decodes, and correct them',
    load: () => import('./corrections/index.ts'),
  },
  audit: { summary: 'show and verify the log of who did what, when, and why', load: () => import('./audit.ts') },
  privacy: {
    summary: 'export or erase what is stored about a vehicle or a workspace',
    load: () => import('./privacy.ts'),
  },
  catalog: {
    summary: 'build, import, and compare the facts that VINs are decoded with',
    load: () => import('./catalog.ts'),
  },
  db: { summary: 'migrate, back up, restore, and verify the database', load: () => import('./db.ts') },
  mcp: {
    summary: 'serve an assistant over standard input and output (Model Context Protocol)',
    load: () => import('./mcp.ts'),
  },
  config: { summary: 'show the effective settings, with passwords masked', load: () => import('./config.ts') },
} as const;
