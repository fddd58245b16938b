import type { Slice } from '../kernel/slice.ts';
import type { DecodeParts } from './parts.ts';

/** Decodes VINs to metered reports, over all interfaces. */
export const decode: Slice<DecodeParts> = {
  name: 'decode',
  routes: async (app, deps) => {
    const { addDecode } = await import('./route.ts');
    const { addBatch } = await import('./batch/route.ts');
    const { addCandidates } = await import('./candidates/route.ts');
    const { addVpic } = await import('./vpic/routes.ts');
    const { addMcp } = await import('./mcp/route.ts');
    const { addVinCheck } = await import('./check.ts');
    const { BatchQueue } = await import('./batch/queue.ts');
    const queue = new BatchQueue(deps.access);
    for (const add of [addDecode, addBatch, addCandidates, addVpic, addMcp, addVinCheck]) add(app, deps, queue);
  },
  pages: async (scope, deps) => {
    const { addTry } = await import('./pages/try.tsx');
    const { addDecodes } = await import('./pages/decodes.tsx');
    const { addDecode } = await import('./pages/decode.tsx');
    const { addFirstSteps } = await import('./pages/first-steps.tsx');
    for (const add of [addTry, addDecodes, addDecode, addFirstSteps]) add(scope, deps);
  },
  tabs: {
    portal: [
      { path: '/try', label: 'Try a VIN', place: 20 },
      { path: '/decodes', label: 'Decodes', place: 22 },
    ],
  },
  commands: {
    decode: {
      summary: 'decode VINs, with every field; needs no service and charges nothing',
      load: () => import('./cli/decode.ts'),
    },
    mcp: {
      summary: 'serve an assistant over standard input and output (Model Context Protocol)',
      load: () => import('./mcp/cli.ts'),
    },
  },
};
