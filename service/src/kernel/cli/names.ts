/** The name of every command, as the help lists them. */
export const COMMAND_NAMES = [
  'serve',
  'health',
  'decode',
  'workspace',
  'key',
  'webhook',
  'admin',
  'corrections',
  'audit',
  'privacy',
  'catalog',
  'db',
  'mcp',
  'config',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
