import type { Decoder } from '@marque/decoder';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { faultsInCandidate } from './accept.ts';
import { correctedDecoder } from './corrected-decoder.ts';
import { decisionsWith } from './decide.ts';
import { impactOf } from './impact.ts';
import { listsOn } from './list.ts';
import type { LiveOverrides } from './live-overrides.ts';
import { reviewWith } from './review.ts';
import type { Corrections } from './store.ts';
import { submitWith } from './submit.ts';

/** What corrections need of the rest. */
export interface CorrectionsDeps {
  database: Database;
  clock: Clock;
  /** Without overrides. */
  decoder: Decoder;
  live: LiveOverrides;
  /** Folder of labelled VINs for previews; undefined: there are none. */
  labelledFolder: string | undefined;
  /** Whether reporters who gave an address get mail. */
  sendsMail: boolean;
}

/** Corrections on a database. */
export function openCorrections(options: CorrectionsDeps): Corrections {
  const deps = { ...options, corrected: correctedDecoder(options.decoder, options.live.current) };
  return {
    submit: submitWith(deps),
    review: reviewWith(deps),
    async preview(candidate, reportId) {
      const faults = faultsInCandidate(candidate);
      if (faults.length > 0) return { kind: 'invalid', faults };
      const vin = reportId === undefined ? null : await vinOf(deps.database, reportId);
      return { kind: 'impact', impact: await impactOf(deps, candidate, vin) };
    },
    ...decisionsWith(deps),
    ...listsOn(deps.database),
  };
}

async function vinOf(database: Database, reportId: string): Promise<string | null> {
  const row = await database.kysely
    .selectFrom('correction_reports')
    .select('vin')
    .where('id', '=', reportId)
    .executeTakeFirst();
  return row?.vin ?? null;
}
