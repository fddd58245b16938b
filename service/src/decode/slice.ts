import type { Readable } from 'node:stream';

import type { Corrections } from '../corrections/index.ts';
import type { Slice } from '../kernel/slice.ts';
import type { PageKit } from '../kernel/ui/page-kit.ts';
import type { Idempotency, Meter } from '../metering/index.ts';
import type { BatchRouteDeps } from './batch/route.ts';
import type { CandidatesRouteDeps } from './candidates/route.ts';
import type { CandidateSearches } from './candidates/searches.ts';
import type { CheckRouteDeps } from './check.ts';
import type { McpRouteDeps } from './mcp/route.ts';
import type { DecodeDeps } from './metered.ts';
import type { DecodeRouteDeps } from './route.ts';
import type { Suggestions } from './suggestions.ts';
import type { VpicRouteDeps } from './vpic/routes.ts';

/** What the pages of decodes need. */
export interface DecodePageDeps extends PageKit, DecodeDeps {
  meter: Pick<Meter, 'charge' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'decodeOf'>;
  suggestions: Pick<Suggestions, 'for'>;
  corrections: Pick<Corrections, 'correctedSince'>;
  searches: Pick<CandidateSearches, 'read' | 'narrow'>;
  /** Sends what is long, page by page, to a few readers at once. */
  transfers: { send(workspaceId: string, pages: AsyncGenerator<string>): Readable };
}

type RouteDeps = DecodeRouteDeps & BatchRouteDeps & CandidatesRouteDeps & VpicRouteDeps & McpRouteDeps & CheckRouteDeps;

/** From a VIN to a metered report, over each of its faces. */
export const decode: Slice<RouteDeps, DecodePageDeps> = {
  name: 'decode',
  routes: async (app, deps) => {
    const { addDecode } = await import('./route.ts');
    const { addBatch } = await import('./batch/route.ts');
    const { addCandidates } = await import('./candidates/route.ts');
    const { addVpic } = await import('./vpic/routes.ts');
    const { addMcp } = await import('./mcp/route.ts');
    const { addVinCheck } = await import('./check.ts');
    for (const add of [addDecode, addBatch, addCandidates, addVpic, addMcp, addVinCheck]) add(app, deps);
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
      { path: '/try', label: 'Try a VIN', place: 30 },
      { path: '/decodes', label: 'Decodes', place: 40 },
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
