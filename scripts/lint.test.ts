import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OXLINT = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');

/** Returns the output of the project's lint for a source file. */
function lint(source: string): string {
  // In the clone, so that its rules apply, and where no lint of the whole clone looks.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.lint-'));
  try {
    const file = join(folder, 'source.ts');
    writeFileSync(file, source);
    const config = join(ROOT, '.oxlintrc.json');
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--no-ignore', '--config', config, file], {
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  "export const file = new URL('../assets/a.css', import.meta.url).pathname;",
  "const url = new URL('a.css', import.meta.url);\nexport const file = url.pathname;",
  "export const { pathname } = new URL('a.css', import.meta.url);",
])('the path of a URL is not taken for a file: %j', (source) => {
  expect(lint(source)).toContain('no-restricted-properties');
});

test('fileURLToPath is', () => {
  const source = "import { fileURLToPath } from 'node:url';\nexport const file = fileURLToPath(import.meta.url);\n";
  expect(lint(source)).toMatch(/Found 0 warnings and 0 errors/);
});
