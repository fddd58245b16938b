import type { Config } from '../kernel/config/config.ts';
import type { Slice } from '../kernel/slice.ts';
import type { CatalogDeps } from './catalog.ts';

/** The catalog in use. */
export const catalog: Slice<Omit<CatalogDeps, 'compiledAtMs'> & { config: Config }> = {
  name: 'catalog',
  tables: async () => (await import('./tables.ts')).CATALOG_TABLES,
  routes: async (app, deps) => {
    const { addCatalog } = await import('./catalog.ts');
    const { compiledAt } = await import('./open.ts');
    addCatalog(app, { ...deps, compiledAtMs: compiledAt(deps.config) });
  },
};
