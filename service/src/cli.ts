import { boundYoungGeneration } from './young-generation.ts';

boundYoungGeneration(process);

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const words = process.argv.slice(2);
const run =
  words[0] === 'health' ? (await import('./cli/health.ts')).runHealth : (await import('./cli/program.ts')).runCli;
process.exitCode = await run(words, process);
