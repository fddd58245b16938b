import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const { scripts }: { scripts: Record<'build' | 'start', string> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** What a script prints before it runs any program: none is to be found. */
function printedBefore(script: string, folder: string): string {
  return spawnSync('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: '' }, encoding: 'utf8' }).stdout;
}

test.each(['build', 'start'] as const)('npm run %s says at once what the first time takes', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'marque first-'));
  try {
    expect(printedBefore(scripts[name], folder)).toBe(
      'Compiling the catalog of vehicles and the service. This happens once.\n',
    );
    mkdirSync(join(folder, 'catalog', 'build'), { recursive: true });
    writeFileSync(join(folder, 'catalog', 'build', 'marque.catalog'), '');
    expect(printedBefore(scripts[name], folder)).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
