import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { ensureCatalog } from './build.ts';
import { PROJECT_ROOT } from './root.ts';

/** Puts what the published packages hold beside their code: the catalog compressed for browsers, licence and sources. */
export function packCatalog(): void {
  const { file } = ensureCatalog();
  const decoder = join(PROJECT_ROOT, 'decoder');
  mkdirSync(join(decoder, 'catalog'), { recursive: true });
  writeFileSync(join(decoder, 'catalog', 'marque.catalog.gz'), gzipSync(readFileSync(file), { level: 9 }));
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(PROJECT_ROOT, name), join(decoder, name));
  copyFileSync(join(PROJECT_ROOT, 'LICENSE'), join(PROJECT_ROOT, 'client', 'LICENSE'));
}
