/**
 * Bounds the place where objects are born to 8 MiB a half: that costs no time and saves 40 MiB (docs/decisions/usage.md).
 */
const BOUND = '--max-semi-space-size=8';

/** What of a process decides how it is started again: `process`, or a stand-in. */
export interface Restartable {
  execPath: string;
  argv: string[];
  execArgv: string[];
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  execve?: (file: string, args: string[], env: NodeJS.ProcessEnv) => unknown;
}

/**
 * Starts `serve` again in the same process with the bound, however it was started: V8 reads it before the first line of
 * a program runs, so setting it from here would do nothing. Who set one themselves keeps theirs. Where a process
 * cannot be replaced (Windows), it goes on as it is.
 */
export function boundYoungGeneration(own: Restartable): void {
  const isSet = /max[-_]semi[-_]space[-_]size/.test(`${own.execArgv.join(' ')} ${own.env['NODE_OPTIONS'] ?? ''}`);
  if (own.argv[2] !== 'serve' || isSet || own.platform === 'win32') return;
  own.execve?.(own.execPath, [own.execPath, BOUND, ...own.execArgv, ...own.argv.slice(1)], own.env);
}
