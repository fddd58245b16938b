import type { DecodeParts } from '../decode/parts.ts';
import type { Corrections } from '../corrections/index.ts';
import type { Slice } from '../kernel/slice.ts';
import type { Vitals } from '../kernel/ui/vitals.ts';

/** What the pages for everybody work with. */
export interface SiteParts extends DecodeParts {
  corrections: Pick<Corrections, 'submit' | 'overrides' | 'correctedSince'>;
  vitals: Vitals;
  /** Whether everything that a decode needs answers. */
  isReady: () => Promise<boolean>;
}

/** What everybody may see. */
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
