import type { Decoder } from '@marque/decoder';

import type { ActDeps } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';

/** The catalog in use. */
export const catalog: Slice<ActDeps & { decoder: Pick<Decoder, 'info'>; config: Config }> = {
  name: 'catalog',
  tables: async () => (await import('./tables.ts')).CATALOG_TABLES,
  routes: async (app, deps) => {
    const { addCatalog } = await import('./catalog.ts');
    const { compiledAt } = await import('./open.ts');
    addCatalog(app, deps, compiledAt(deps.config));
  },
};
