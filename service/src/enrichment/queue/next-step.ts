import { backoffMs } from '../../kernel/jobs/index.ts';
import type { EnrichmentBounds } from '../bounds.ts';

/** What is to be done with a VIN after a look-up that did not settle it. */
export type NextStep =
  | { kind: 'retry'; runAtMs: number }
  | { kind: 'other source'; source: string }
  /** No source is left. `answered`: at least the last one answered that it does not know the VIN. */
  | { kind: 'give up'; answered: boolean };

/** A VIN after a look-up that did not settle it. */
export interface Unsettled {
  /** Failed look-ups at this source, the last one included; 0: it answered that it knows nothing. */
  failures: number;
  retryAfterMs: number | undefined;
  /** Sources that cover the VIN and were not asked yet. */
  untried: readonly string[];
  deadlineAtMs: number;
}

/**
 * Tries again where the look-up failed and time is left, later each time, at a random moment so that VINs that failed
 * together do not come back together; else the next source.
 *
 * @param random at least 0, below 1.
 */
export function nextStep(
  { failures, retryAfterMs = 0, untried, deadlineAtMs }: Unsettled,
  nowMs: number,
  random: number,
  bounds: Pick<EnrichmentBounds, 'attempts' | 'backoffMs' | 'mostBackoffMs'>,
): NextStep {
  if (failures > 0 && failures < bounds.attempts) {
    const pauseMs = backoffMs(failures, random, { firstMs: bounds.backoffMs, mostMs: bounds.mostBackoffMs });
    const runAtMs = nowMs + Math.max(retryAfterMs, pauseMs);
    if (runAtMs < deadlineAtMs) return { kind: 'retry', runAtMs };
  }
  const [source] = untried;
  return source === undefined ? { kind: 'give up', answered: failures === 0 } : { kind: 'other source', source };
}
