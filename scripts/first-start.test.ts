import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const { scripts }: { scripts: Record<'build' | 'start', string> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** Returns the output of a script before it runs any program: it can find none. */
function printedBefore(script: string, folder: string): string {
  return spawnSync('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: '' }, encoding: 'utf8' }).stdout;
}

test.each(['build', 'start'] as const)('npm run %s announces at once that the first time takes long', (name) => {
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
