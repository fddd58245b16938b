// Writes a bill of materials of what is shipped, as CycloneDX, into a file: `npm run sbom` into sbom.json. Without a file it prints it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { shippedPackages } from './shipped.js';

const MOST_BYTES = 64 * 2 ** 20;

const all = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    maxBuffer: MOST_BYTES,
  }).toString(),
);
const shipped = shippedPackages();
/** @param {{ name: string, version: string }} component */
const isShipped = ({ name, version }) => shipped.has(`${name}@${version}`) || name.startsWith('@marque/');
const components = all.components.filter(isShipped);
const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = all.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) }));
// npm prints the name of the script first, so that what it prints is no JSON.
writeFileSync(
  process.argv[2] ?? process.stdout.fd,
  `${JSON.stringify({ ...all, components, dependencies }, undefined, 2)}\n`,
);
