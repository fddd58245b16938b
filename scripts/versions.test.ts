import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { changesOf, namedVersions, ROOT } from './versions.ts';

const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

test.each([...namedVersions()])('%s names the one version', (_file, found) => {
  expect(new Set(found)).toEqual(new Set([version]));
});

test('the changelog lists the changes of the version', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  expect(changesOf(changelog, version)).toMatch(/^### Added\n\n- /m);
  expect(changesOf(changelog, 'Unreleased')).toBeDefined();
  expect(changesOf(changelog, '99.0.0')).toBeUndefined();
  expect(changesOf('## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- old\n', '1.0.0')).toBe('- old');
});
