import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Findings } from './drill.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/** Writes the results of a drill in place of its last table in docs/reliability.md. */
export function writeTable(name: string, findings: Findings): void {
  const [begin, end] = [`<!-- drill ${name} -->`, `<!-- end of drill ${name} -->`];
  const text = readFileSync(DOCUMENT, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/reliability.md has no place for the drill: ${begin} ... ${end}`);
  const table = markdownOf(name, findings);
  writeFileSync(DOCUMENT, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`);
  execFileSync('npx', ['oxfmt', DOCUMENT], { cwd: ROOT });
}

function markdownOf(name: string, { columns, rows, versions }: Findings): string {
  const commit = execFileSync('git', ['log', '-1', '--format=%h'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const state = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: ROOT, encoding: 'utf8' });
  const changes = state.replaceAll(/^.* docs\/reliability\.md$/gm, '').trim() === '' ? '' : ' with changes';
  const day = new Date().toISOString().slice(0, 10);
  const [load = 0] = loadavg();
  return [
    `\`npm run drills -- ${name}\`, ${day}, commit ${commit}${changes}, load average ${load.toFixed(0)}; ${versions.join(', ')}.`,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
