import type { Slice } from '../kernel/slice.ts';

/** Building and comparing catalogs, and learning from labeled cars. */
export const learning: Slice = {
  name: 'learning',
  commands: {
    catalog: {
      summary: 'build, import, and compare the facts that VINs are decoded with',
      load: () => import('./cli/catalog.ts'),
    },
  },
};
