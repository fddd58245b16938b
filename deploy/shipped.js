// Reads the shipped packages from a package-lock.json: the clone's Node, and everything that a workspace's own dependencies
// lead to.
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [link]
 * @property {string} [resolved]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** @type {{ packages: Record<string, Locked> }} */
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

/**
 * Returns every package that is shipped, as `name@version`, with its entry in the lock file. npm's own `--omit dev`
 * leaves out packages that a tool needs as well.
 *
 * @returns {Map<string, Locked>}
 */
export function shippedPackages() {
  /** @type {Map<string, Locked>} */
  const shipped = new Map();
  const seen = new Set();
  // The packages of scripts/ are for tests.
  const waiting = Object.keys(packages).filter((path) => !/^scripts\/|node_modules\//.test(path));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const locked = packages[path] ?? {};
    if (seen.has(path)) continue;
    seen.add(path);
    if (path.includes('node_modules/')) shipped.set(`${path.split('node_modules/').at(-1)}@${locked.version}`, locked);
    // The root's other dependencies compile a clone.
    const { optionalDependencies = {} } = locked;
    for (const name of needsOf(path === '' ? { optionalDependencies } : locked)) {
      const found = placeOf(name, path);
      const at = found === undefined || !packages[found]?.link ? found : packages[found]?.resolved;
      if (at !== undefined) waiting.push(at);
    }
  }
  return shipped;
}

/** @param {Locked} locked */
function needsOf({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/**
 * Returns the path at which Node finds a package for an importer.
 *
 * @param {string} name
 * @param {string} from
 */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
