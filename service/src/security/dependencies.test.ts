import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
}

/** Licences under which a package may be shipped with an Apache-2.0 program. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BSD-0-Clause',
  'BlueOak-1.0.0',
  'Unlicense',
  'OFL-1.1',
  'MIT-0',
  'CC0-1.0',
]);

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../package-lock.json', import.meta.url)), 'utf8'),
);
/** The test runner's bundler, whose parts the lock file does not mark as such. */
const TOOLS = /node_modules\/lightningcss/;

const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, devOptional, link }]) =>
    path.includes('node_modules/') && !TOOLS.test(path) && dev !== true && devOptional !== true && link !== true,
);

test('every package that is shipped has a licence that allows it', () => {
  expect(shipped.length).toBeGreaterThan(50);
  const others = shipped.filter(([, { license = 'none' }]) => {
    const choices = license.replaceAll(/[()]/g, '').split(' OR ');
    return !choices.some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one)));
  });
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('every package is pinned by the hash of its contents, and fetched over https', () => {
  const loose = Object.entries(lock.packages).filter(
    ([path, { link, integrity, resolved = 'https:' }]) =>
      path.includes('node_modules/') && link !== true && (integrity === undefined || !resolved.startsWith('https:')),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('no package that is shipped has an install script', () => {
  const scripts = shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(scripts.map(([path]) => path)).toEqual([]);
});
