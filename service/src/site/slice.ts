import type { FastifyBaseLogger } from 'fastify';

import type { DecodeParts } from '../decode/index.ts';
import type { Corrections } from '../corrections/index.ts';
import type { Database } from '../kernel/db/index.ts';
import type { Slice } from '../kernel/slice.ts';
import type { Vitals } from '../kernel/ui/vitals.ts';
import type { Meter } from '../metering/index.ts';

/** The dependencies of the public pages. */
export interface SiteParts extends DecodeParts {
  corrections: Pick<Corrections, 'submit' | 'overrides' | 'correctedSince'>;
  vitals: Vitals;
  /** The instance's secret. */
  secret: string;
  /** Resolves to the reason why it cannot decode, in a sentence; undefined: it can. */
  fault: () => Promise<string | undefined>;
}

/** The dependencies of the record of requests. */
export interface RecordParts {
  database: Database;
  /** Writes beside charges, and is closed later. */
  writer: Pick<Meter, 'write'>;
  vitals: Vitals;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Public pages. */
export const site: Slice<SiteParts, RecordParts> = {
  name: 'site',
  tables: async () => (await import('./tables.ts')).SITE_TABLES,
  pages: async (scope, deps) => {
    const { WorkTurns } = await import('../kernel/limits/work-turns.ts');
    const turns = new WorkTurns(deps.turns);
    (await import('./landing/landing-route.tsx')).addLanding(scope, deps, turns);
    (await import('./landing/decoded-route.tsx')).addDecoded(scope, deps, turns);
    (await import('./legal/route.tsx')).addLegal(scope, deps.config);
    (await import('./status/status.tsx')).addStatus(scope, deps);
    (await import('./changelog/changelog.tsx')).addChangelog(scope, deps);
    (await import('./reference/route.tsx')).addReference(scope, deps, turns);
  },
  workers: async (deps) => ({ status: new (await import('./status/record.ts')).RequestRecord(deps) }),
  retention: async ({ kysely }, { nowMs }) => (await import('./status/record.ts')).pruneMinutes(kysely, nowMs),
};
