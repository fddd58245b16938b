import { enableCompileCache } from 'node:module';

import { compileCacheFolder } from './platform/config/places.ts';

const compiled = compileCacheFolder(process.env);
// A folder that cannot be written is no fault: everything is compiled anew then.
if (compiled !== undefined) enableCompileCache(compiled);

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const { runCli } = await import('./cli/program.ts');
process.exitCode = await runCli(process.argv.slice(2), process);
