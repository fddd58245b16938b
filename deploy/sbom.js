// Writes a bill of materials of the shipped packages, as CycloneDX, into a file: `npm run sbom` into sbom.json. Without
// a file it prints it.
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
/** npm calls packages of the clone by their folders; their references have their names. */
/** @template {{ 'bom-ref': string, name: string }} C @param {C} component @returns {C} */
const named = (component) => ({ ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') });
/** @param {{ name: string, version: string }} component */
const isShipped = ({ name, version }) =>
  shipped.has(`${name}@${version}`) || (name.startsWith('@marque/') && name !== '@marque/oldest-node');
const components = all.components.map(named).filter(isShipped);
all.metadata.component = named(all.metadata.component);
const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = all.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) }));
// npm prints the name of the script first, so that its output is not JSON.
writeFileSync(
  process.argv[2] ?? process.stdout.fd,
  `${JSON.stringify({ ...all, components, dependencies }, undefined, 2)}\n`,
);
