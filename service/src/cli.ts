import { enableCompileCache } from 'node:module';

import { calledAs } from './kernel/cli/program-name.ts';
import { compileCacheFolder } from './kernel/config/places.ts';

const compiled = compileCacheFolder(process.env);
// If the folder cannot be written, everything is compiled again: not a fault.
if (compiled !== undefined) enableCompileCache(compiled);

// A reader that has seen enough, such as `head`, closes the pipe: that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}. What the command changed stays changed.\n`);
  process.exit(1);
});
// There is no one else to tell, and a service goes on.
process.stderr.on('error', () => {});

const { runCli } = await import('./cli/program.ts');
const { stdin, stdout, stderr, env } = process;
const called = calledAs(process.argv[1], env, process.cwd());
process.exitCode = await runCli(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  calledAs: called,
  openDatabase: async (location) => (await import('./database.ts')).openDatabase(location, 'tool'),
});
