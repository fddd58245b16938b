import * as batch from './batch.ts';
import * as corrections from './corrections.ts';
import * as decoder from './decoder.ts';
import * as enrichment from './enrichment.ts';
import * as files from './files.ts';
import * as jobs from './jobs.ts';
import * as service from './service.ts';
import * as timing from './timing.ts';
import * as usage from './usage.ts';

/** Every benchmark. Each has a `title`, and a `run` that prints its figures line by line. */
const benchmarks = [batch, decoder, corrections, usage, enrichment, service, files, jobs, timing];

const wanted = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
for (const { title, name, run } of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  print(`\n${title}`);
  await run(print);
}
