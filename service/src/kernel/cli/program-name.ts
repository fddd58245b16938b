import { basename, dirname, relative } from 'node:path';

/** The program's name when installed. */
export const PROGRAM = 'marque';

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

/**
 * Replaces the program's name by `called` where a text for people names one of its commands, such as `marque key list`.
 * Paths and sentences stay.
 */
export function withProgram(text: string, called: string, commands: readonly string[]): string {
  if (called === PROGRAM || commands.length === 0) return text;
  const named = new RegExp(String.raw`(?<![\w/@.-])${PROGRAM} (?=(?:${commands.join('|')})\b)`, 'g');
  return text.replaceAll(named, () => `${called} `);
}
