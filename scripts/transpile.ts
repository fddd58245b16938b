// Writes JavaScript beside what `tsc` would write, for a start: without types, from what changed, and with nothing but
// the bundler's own parser, so that serving needs no compiler. `npm run build` writes the same files and checks them.
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformSync } from 'rolldown/utils';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Each folder of sources, and the folder of its JavaScript. */
const FOLDERS = [
  ['decoder/src', 'decoder/dist'],
  ['catalog/src', 'catalog/dist/src'],
  ['catalog/sources', 'catalog/dist/sources'],
  ['service/src', 'service/dist'],
] as const;

/** Matches files that no start needs. */
const OTHERS = /\.test\.tsx?$|\.d\.ts$|(?:^|[/\\])testing[/\\]/;

for (const [sources, outputs] of FOLDERS) {
  for (const path of globSync('**/*.{ts,tsx}', { cwd: join(ROOT, sources) })) {
    if (OTHERS.test(path)) continue;
    transpile(join(ROOT, sources, path), join(ROOT, outputs, path.replace(/\.tsx?$/, '.js')));
  }
}

/** Writes a source's JavaScript, unless that is newer. */
function transpile(source: string, output: string): void {
  const written = statSync(output, { throwIfNoEntry: false });
  if (written !== undefined && written.mtimeMs >= statSync(source).mtimeMs) return;
  const { code, errors } = transformSync(source, readFileSync(source, 'utf8'), {
    target: 'es2024',
    jsx: { runtime: 'automatic', importSource: 'preact' },
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
    tsconfig: false,
  });
  if (errors.length > 0) throw new Error(`${source}: ${errors.map(({ message }) => message).join('; ')}`);
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, code);
}
