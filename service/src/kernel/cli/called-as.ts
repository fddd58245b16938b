import { basename, dirname, relative } from 'node:path';

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

/** The program's name when installed. */
export const PROGRAM = 'marque';

/** A command in a text for people, and no part of a path or a sentence. */
const NAMED = new RegExp(String.raw`(?<![\w/@.-])${PROGRAM} (?=(?:${COMMAND_NAMES.join('|')})\b)`, 'g');

/**
 * Returns the command that started this program, so that the commands in its messages work where people are: `marque`
 * if it is installed, `npx @marque/service` or `node service/bin/marque.js` in a clone.
 */
export function calledAs(script: string | undefined, env: NodeJS.ProcessEnv, folder: string): string {
  if (script === undefined) return PROGRAM;
  // npx runs files of node_modules/.bin; its variable alone is inherited by everything that npm started.
  if (basename(dirname(script)) === '.bin') return env['npm_command'] === 'exec' ? 'npx @marque/service' : PROGRAM;
  if (basename(script) !== 'marque.js') return PROGRAM;
  const path = relative(folder, script);
  // A service manager starts at the root: people are elsewhere.
  const isAtRoot = dirname(folder) === folder;
  return `node ${isAtRoot || path.startsWith('..') ? script : path}`;
}

/** Puts how the program was called into a text that names its commands: `marque key list`. */
export function withProgram(text: string, called: string): string {
  return called === PROGRAM ? text : text.replaceAll(NAMED, () => `${called} `);
}
