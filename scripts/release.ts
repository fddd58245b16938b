// Prepares a release: `npm run release -- VERSION`. Writes the version everywhere, dates the changelog, writes the
// databases that later versions upgrade, tests, and puts packages, bill of materials, licenses and the image's files
// into release/, checked against each other. Nothing is published, committed or tagged. `--without-tests` is for trying
// it out.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { changesOf, namedVersions, ROOT, writeVersion } from './versions.ts';

const PACKAGES = ['decoder', 'catalog', 'service', 'client'];
const OUT = join(ROOT, 'release');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const [version = '', ...options] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) fail('Usage: npm run release -- VERSION [--without-tests], such as 0.2.0');
if (git('tag', '--list', `v${version}`) !== '') fail(`There is a tag v${version}: it is released.`);
if (git('status', '--porcelain') !== '')
  fail('Commit what was changed first, so that the release is what is committed.');

writeVersion(version);
run('npm', 'install', '--package-lock-only');
dateChangelog();
run('npm', 'run', '--silent', 'openapi');
run('npm', 'run', '--silent', 'release:database');
if (!options.includes('--without-tests')) {
  run('npm', 'run', '--silent', 'check');
  run('npm', 'test', '--silent');
}
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
const packs = run(
  'npm',
  'pack',
  '--silent',
  ...PACKAGES.map((name) => `--workspace=${name}`),
  `--pack-destination=${OUT}`,
);
run('node', 'deploy/sbom.js', join(OUT, 'sbom.json'));
writeFileSync(join(OUT, 'licences.txt'), run('node', 'deploy/licences.js'));
run('node', 'deploy/docker/assemble.js', join(OUT, 'image'));
writeFileSync(join(OUT, 'changes.md'), `${changesOf(readFileSync(CHANGELOG, 'utf8'), version) ?? ''}\n`);
const faults = [
  ...versionFaults(),
  ...packs.trim().split('\n').flatMap(packFaults),
  ...materialFaults(),
  ...imageFaults(),
];
if (faults.length > 0) fail(faults.join('\n'));
process.stdout
  .write(`release/ has ${version}: four packages, sbom.json, licences.txt, changes.md and image/, and they agree.
Next: git commit -am "build: Release ${version}", git tag v${version}, npm publish release/*.tgz, docker build --tag marque:${version} .\n`);

/** Makes the section of unreleased changes that of the version. */
function dateChangelog(): void {
  const text = readFileSync(CHANGELOG, 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const changes = changesOf(text, 'Unreleased') ?? '';
  if (changes === '') {
    if ((changesOf(text, version) ?? '') === '')
      fail('CHANGELOG.md says nothing under [Unreleased]: write what changes for users.');
    writeFileSync(CHANGELOG, text.replace(new RegExp(`^## \\[${version}\\].*`, 'm'), `## [${version}] - ${today}`));
    return;
  }
  writeFileSync(CHANGELOG, text.replace('## [Unreleased]', `## [Unreleased]\n\n## [${version}] - ${today}`));
}

function versionFaults(): string[] {
  return [...namedVersions()].flatMap(([file, found]) =>
    found.length > 0 && found.every((one) => one === version) ? [] : [`${file} names ${found.join(', ')}`],
  );
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

interface Component {
  name: string;
  version: string;
}

/**
 * Returns the faults of a package, which must have the version, and whose dependencies must all be in the bill of
 * materials.
 */
function packFaults(file: string): string[] {
  const packed: Manifest = JSON.parse(run('tar', '-xzOf', join(OUT, file), 'package/package.json'));
  const listed = new Set(components().map(({ name }) => name));
  const missing = Object.keys(packed.dependencies ?? {}).filter((name) => !listed.has(name));
  return [
    ...(packed.version === version ? [] : [`${file} is ${packed.version}`]),
    ...missing.map((name) => `${file} needs ${name}, which sbom.json lacks`),
  ];
}

function materialFaults(): string[] {
  const licences = new Set(readFileSync(join(OUT, 'licences.txt'), 'utf8').split('\n'));
  return components().flatMap((component) => {
    if (component.name.startsWith('@marque/'))
      return component.version === version ? [] : [`sbom.json has ${component.name} ${component.version}`];
    const line = `  ${component.name}@${component.version}`;
    return licences.has(line) ? [] : [`licences.txt lacks${line.slice(1)}`];
  });
}

function imageFaults(): string[] {
  return ['decoder', 'catalog', 'service'].flatMap((name) => {
    const own: Manifest = JSON.parse(readFileSync(join(OUT, 'image', 'marque', name, 'package.json'), 'utf8'));
    return own.version === version ? [] : [`the image has ${own.name} ${own.version}`];
  });
}

function components(): Component[] {
  const sbom: { components: Component[] } = JSON.parse(readFileSync(join(OUT, 'sbom.json'), 'utf8'));
  return sbom.components.map(({ name, version }) => ({ name, version }));
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function run(command: string, ...words: string[]): string {
  process.stdout.write(`== ${command} ${words.join(' ')}\n`);
  const output = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return execFileSync(command, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], ...output });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
