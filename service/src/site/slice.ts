import type { DecodeParts } from '../decode/index.ts';
import type { Corrections } from '../corrections/index.ts';
import type { Slice } from '../kernel/slice.ts';
import type { Vitals } from '../kernel/ui/vitals.ts';

/** The dependencies of the public pages. */
export interface SiteParts extends DecodeParts {
  corrections: Pick<Corrections, 'submit' | 'overrides' | 'correctedSince'>;
  vitals: Vitals;
  /** Resolves to the reason why it cannot decode, in a sentence; undefined: it can. */
  fault: () => Promise<string | undefined>;
}

/** Public pages. */
export const site: Slice<SiteParts> = {
  name: 'site',
  pages: async (scope, deps) => {
    (await import('./landing/landing-route.tsx')).addLanding(scope, deps);
    (await import('./landing/decoded-route.tsx')).addDecoded(scope, deps);
    (await import('./legal/route.tsx')).addLegal(scope, deps.config);
    (await import('./status/status.tsx')).addStatus(scope, deps);
    (await import('./changelog/changelog.tsx')).addChangelog(scope, deps);
    (await import('./reference/route.tsx')).addReference(scope, deps);
  },
};
