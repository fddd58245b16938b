import type { Readable } from 'node:stream';

import type { CorrectedDecoder, Corrections } from '../corrections/index.ts';
import type { Enrichment } from '../enrichment/index.ts';
import type { Idempotency, Meter } from '../metering/index.ts';
import type { NetworkOf, Access } from '../workspaces/index.ts';
import type { ActDeps } from '../kernel/audit/index.ts';
import type { LoopTurns, NextTurn } from '../kernel/limits/loop-turns.ts';
import type { Tenant } from '../kernel/limits/slots.ts';
import type { OpenRateLimit } from '../kernel/limits/token-buckets.ts';
import type { CandidateSearches } from './searches/candidate-searches.ts';
import type { Suggestions } from './searches/suggestions.ts';

/** The dependencies of all interfaces of a decode: the API, NHTSA's methods, tools of assistants, and pages. */
export interface DecodeParts extends ActDeps {
  access: Pick<Access, 'identify' | 'refusalOf'>;
  decoder: CorrectedDecoder;
  meter: Pick<Meter, 'charge' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'forget' | 'decodeOf'>;
  /** Undefined: no source is configured. */
  enrichment: Pick<Enrichment, 'concerns' | 'complete'> | undefined;
  corrections: Pick<Corrections, 'submit' | 'correctedSince'>;
  searches: Pick<CandidateSearches, 'read' | 'narrow'>;
  suggestions: Pick<Suggestions, 'for'>;
  /** Makes the id under which a decode is stored: a UUIDv7. */
  newId: () => string;
  rateLimit: OpenRateLimit;
  networkOf: NetworkOf;
  /** The turns of work that may not keep paid decodes waiting. */
  turns: Pick<LoopTurns, 'next'>;
  /** Sends long results, page by page, to a few readers at once. */
  transfers: { send(tenant: Tenant, pages: (turn: NextTurn) => AsyncGenerator<string>): Readable };
}
