import { HOUR_MS } from '../../kernel/clock.ts';
import { type Minute, type Tally, tallyOf } from '../../kernel/ui/vitals.ts';

const MINUTE_MS = 60_000;

/** Hours that the status page shows. */
export const HOURS = 24;

/** Faults with no more than this between them are one incident. */
const GAP_MS = 5 * MINUTE_MS;

/** A time in which requests failed or were turned away. */
export interface Incident {
  fromMs: number;
  untilMs: number;
  failed: number;
  shed: number;
}

/** The incidents of the minutes that are known, newest first. Pure. */
export function incidentsIn(minutes: readonly Minute[]): Incident[] {
  const incidents: Incident[] = [];
  for (const { atMs, failed, shed } of minutes) {
    if (failed + shed === 0) continue;
    const last = incidents[0];
    if (last !== undefined && atMs - last.untilMs <= GAP_MS) {
      last.untilMs = atMs + MINUTE_MS;
      last.failed += failed;
      last.shed += shed;
    } else incidents.unshift({ fromMs: atMs, untilMs: atMs + MINUTE_MS, failed, shed });
  }
  return incidents;
}

/** An hour as the status page shows it. */
export interface Hour {
  fromMs: number;
  /** `off`: before this process started; `quiet`: there was no request. */
  state: 'off' | 'quiet' | 'good' | 'bad';
  /** Requests answered, in percent of all; undefined: there was none. */
  share: string | undefined;
}

/** The last 24 hours, the present one last. Pure. */
export function hoursOf(minutes: readonly Minute[], startedAtMs: number, nowMs: number): Hour[] {
  const thisHourMs = nowMs - (nowMs % HOUR_MS);
  return Array.from({ length: HOURS }, (_, place) => {
    const fromMs = thisHourMs - (HOURS - 1 - place) * HOUR_MS;
    const tally = tallyOf(minutes, fromMs, fromMs + HOUR_MS);
    const share = shareOf(tally);
    if (share === undefined) return { fromMs, state: fromMs + HOUR_MS <= startedAtMs ? 'off' : 'quiet', share };
    return { fromMs, state: tally.failed + tally.shed === 0 ? 'good' : 'bad', share };
  });
}

/** Answered requests in percent, rounded down, so that 100% means all of them; undefined: there was none. Pure. */
export function shareOf({ answered, failed, shed }: Tally): string | undefined {
  const all = answered + failed + shed;
  if (all === 0) return undefined;
  return `${(Math.floor((answered / all) * 10_000) / 100).toString()}%`;
}
