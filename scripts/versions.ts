import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));

const MANIFESTS = ['.', 'decoder', 'catalog', 'service', 'client', 'scripts/oldest-node'];

/** Every place that names the version. The API's description is not one: its version is that of the interface. */
const PLACES: readonly { file: string; pattern: RegExp }[] = [
  ...MANIFESTS.map((folder) => ({
    file: join(folder, 'package.json'),
    pattern: /(?<="(?:version|@marque\/\w+)": ")[^"]+/g,
  })),
  { file: 'client/python/pyproject.toml', pattern: /(?<=^version = ")[^"]+/gm },
  { file: 'decoder/python/pyproject.toml', pattern: /(?<=^version = ")[^"]+/gm },
  { file: 'Dockerfile', pattern: /(?<=^ARG VERSION=).+/gm },
  { file: 'deploy/compose/compose.yaml', pattern: /(?<=image: marque:)\S+/g },
  { file: 'deploy/docker/README.md', pattern: /(?<=\bmarque:)\d\S+/g },
  { file: 'deploy/helm/marque/Chart.yaml', pattern: /(?<=^(?:version|appVersion): ).+/gm },
];

/** Returns the versions that each place names, by its file. */
export function namedVersions(): Map<string, string[]> {
  return new Map(
    PLACES.map(({ file, pattern }) => [file, readFileSync(join(ROOT, file), 'utf8').match(pattern) ?? []]),
  );
}

/** Writes a version into every place. */
export function writeVersion(version: string): void {
  for (const { file, pattern } of PLACES) {
    const path = join(ROOT, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, version));
  }
}

/** Returns the part of CHANGELOG.md for a version, or for unreleased changes; undefined: it has no such section. */
export function changesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m);
  const found = sections.find((section) => section.startsWith(`[${version}]`));
  return found?.slice(found.indexOf('\n')).trim();
}
