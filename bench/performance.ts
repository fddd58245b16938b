import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Ratio } from './ratio.ts';

const REPORT = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** The result of one benchmark. */
export interface Measured {
  name: string;
  ratios: readonly Ratio[];
}

/** Describes the machine of the ratios: a line of a table each. */
export function machine(): [string, string][] {
  return [
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Commit', execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()],
    ['Processor', `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`],
    ['Memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ['System', `${platform()} ${arch()}, Node ${process.versions.node}`],
    ['Load of the machine before', loadavg()[0]?.toFixed(1) ?? 'unknown'],
  ];
}

/** Writes the ratios into docs/performance.md. */
export function writeReport(measured: readonly Measured[], conditions: readonly [string, string][]): void {
  const users = measured.flatMap(({ name, ratios }) =>
    ratios.flatMap(({ users: asked }) => (asked === undefined ? [] : [[asked.question, asked.answer, `\`${name}\``]])),
  );
  const rows = measured.flatMap(({ name, ratios }) =>
    ratios.flatMap(({ what, beside, ratio, aim }) =>
      aim === undefined ? [] : [[`\`${name}\``, what, beside, ratio.toFixed(2), aim]],
    ),
  );
  const lines = [
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- all`. Do not edit. -->',
    '',
    'How fast Marque is. `npm run bench -- all` writes this file; `npm run bench -- NAME` prints more figures of one benchmark. VINs of',
    'one kind have the same [squish VIN](glossary.md#the-vin). All figures were measured in one run on this machine, shared with the',
    "service's clients and databases:",
    '',
    ...tableOf(['', ''], conditions),
    '',
    '## What users ask',
    '',
    ...tableOf(['Question', 'Answer', 'Benchmark'], users),
    '',
    '## Ratios',
    '',
    'Each figure that has an aim is compared with another one of the same run, so that it also holds on other machines, and on',
    'busy ones.',
    '',
    ...tableOf(['Benchmark', 'What', 'Beside', 'Ratio', 'Aim'], rows),
    '',
  ];
  writeFileSync(REPORT, lines.join('\n'));
  execFileSync('npx', ['oxfmt', REPORT]);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
