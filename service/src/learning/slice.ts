import type { Slice } from '../kernel/slice.ts';

/** Building, comparing and teaching catalogs. */
export const learning: Slice = {
  name: 'learning',
  commands: {
    catalog: {
      summary: 'build, import, and compare the facts that VINs are decoded with',
      load: () => import('./cli/catalog.ts'),
    },
  },
};
