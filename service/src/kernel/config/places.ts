import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));

/** The clone that this program runs from; undefined if it was installed, without its sources. */
const CLONE = existsSync(join(PACKAGE, 'src', 'cli.ts')) ? join(PACKAGE, '..') : undefined;

/** Returns a file shipped unchanged with the program, by its path in this package. */
export function shippedFile(path: string): string {
  return join(PACKAGE, path);
}

/**
 * Returns the data folder for an unset DATA_DIR, in any working folder: `var` in a clone; in an installed program, the
 * place that the XDG Base Directory Specification gives to data. A user without a home, as in an image, has none: then
 * it is `var` in the working folder.
 */
export function defaultDataDir(env: NodeJS.ProcessEnv): string {
  return CLONE === undefined ? (xdgFolder(env['XDG_DATA_HOME'], '.local/share') ?? 'var') : join(CLONE, 'var');
}

/**
 * Returns the folder of compiled modules, kept between starts: never one that other users of the machine can write.
 * Undefined: they are not kept.
 */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  return CLONE === undefined
    ? xdgFolder(env['XDG_CACHE_HOME'], '.cache')
    : join(CLONE, 'node_modules', '.cache', 'marque');
}

/** Returns our folder in one of the specification's. A relative path is invalid there. */
function xdgFolder(named: string | undefined, otherwise: string): string | undefined {
  if (named !== undefined && isAbsolute(named)) return join(named, 'marque');
  try {
    return join(homedir(), otherwise, 'marque');
  } catch {
    return undefined;
  }
}
