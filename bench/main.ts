import * as batch from './batch.ts';
import * as browser from './browser.ts';
import * as candidates from './candidates.ts';
import * as corrections from './corrections.ts';
import * as decoder from './decoder.ts';
import * as enrichment from './enrichment.ts';
import * as facts from './facts.ts';
import * as files from './files.ts';
import * as jobs from './jobs.ts';
import * as pageLoad from './page-load.ts';
import * as pages from './pages.ts';
import { machine, type Measured, writeReport } from './performance.ts';
import type { Benchmark } from './ratio.ts';
import * as registers from './registers.ts';
import * as service from './service.ts';
import * as sizes from './sizes.ts';
import * as tables from './tables.ts';
import * as timing from './timing.ts';
import * as usage from './usage.ts';

const benchmarks: readonly Benchmark[] = [
  batch,
  decoder,
  candidates,
  facts,
  browser,
  corrections,
  registers,
  usage,
  sizes,
  enrichment,
  service,
  files,
  tables,
  jobs,
  timing,
  pages,
  pageLoad,
];

// `all` runs every benchmark and writes docs/performance.md; names run those and write nothing.
const wanted = process.argv.slice(2);
const isAll = wanted.includes('all');
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const conditions = machine();
const measured: Measured[] = [];
for (const { title, name, run } of benchmarks) {
  if (wanted.length > 0 && !isAll && !wanted.includes(name)) continue;
  print(`\n${title}`);
  const ratios = await run(print);
  for (const { what, beside, ratio, aim } of ratios) {
    print(`${what}: ${ratio.toFixed(2)} of ${beside}${aim === undefined ? '' : ` (aim ${aim})`}`);
  }
  measured.push({ name, ratios });
}
if (isAll) writeReport(measured, conditions);
