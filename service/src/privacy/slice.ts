import type { Slice } from '../kernel/slice.ts';

/** Exports and erases data about a vehicle or a workspace. */
export const privacy: Slice = {
  name: 'privacy',
  commands: {
    privacy: {
      summary: 'export or erase what is stored about a vehicle or a workspace',
      load: () => import('./cli.ts'),
    },
  },
};
