import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { type Minute, type Tally, tallyOf } from '../../kernel/ui/vitals.ts';
import type { Recorded } from './record.ts';

/** Hours that the status page shows one by one. */
export const HOURS = 24;

/** Faults with no more than this between them are one incident. */
const GAP_MS = 5 * MINUTE_MS;

/** A period in which requests failed or were refused, or in which no instance ran: then nothing was counted. */
export interface Incident extends Omit<Tally, 'answered'> {
  fromMs: number;
  untilMs: number;
  isDown: boolean;
}

/** Incidents that are listed: a week may have hundreds, and the latest ones matter. */
export const MOST_INCIDENTS = 50;

/** Returns the latest incidents of the minutes that are known, newest first. `minutes`: oldest first. Pure. */
export function incidentsIn(minutes: readonly Minute[]): Incident[] {
  const faults: Incident[] = [];
  const downs: Incident[] = [];
  let endMs = minutes[0]?.atMs ?? 0;
  for (const { atMs, failed, shed } of minutes) {
    if (atMs > endMs) downs.push({ fromMs: endMs, untilMs: atMs, failed: 0, shed: 0, isDown: true });
    endMs = atMs + MINUTE_MS;
    if (failed + shed === 0) continue;
    const last = faults.at(-1);
    if (last !== undefined && atMs - last.untilMs <= GAP_MS) {
      last.untilMs = endMs;
      last.failed += failed;
      last.shed += shed;
    } else faults.push({ fromMs: atMs, untilMs: endMs, failed, shed, isDown: false });
  }
  return [...faults, ...downs].toSorted((one, other) => other.fromMs - one.fromMs).slice(0, MOST_INCIDENTS);
}

/** A period, as far as it is known. */
export interface Period {
  fromMs: number;
  /** Requests answered, in percent of all; undefined: there was none. */
  share: string | undefined;
  failed: number;
  shed: number;
  /** Minutes of the period in which no instance ran. */
  downMinutes: number;
  /** True if it ran in none of them. */
  isDown: boolean;
}

/** Returns what is known of a period; undefined: nothing, since the record begins later. Pure. */
export function periodOf(
  { minutes: recorded, sinceMs }: Recorded,
  fromMs: number,
  untilMs: number,
): Period | undefined {
  const knownFromMs = Math.max(fromMs, sinceMs);
  if (knownFromMs >= untilMs) return undefined;
  const minutes = recorded.slice(placeOf(recorded, fromMs - MINUTE_MS), placeOf(recorded, untilMs));
  const tally = tallyOf(minutes, fromMs, untilMs);
  const known = minutes.filter(({ atMs }) => atMs + MINUTE_MS > knownFromMs && atMs < untilMs).length;
  const all = Math.ceil(untilMs / MINUTE_MS) - Math.floor(knownFromMs / MINUTE_MS);
  const { failed, shed } = tally;
  return { fromMs, share: shareOf(tally), failed, shed, downMinutes: Math.max(0, all - known), isDown: known === 0 };
}

/** Returns the place of the first minute that begins at a moment or later. `minutes`: oldest first. Pure. */
function placeOf(minutes: readonly Minute[], fromMs: number): number {
  let [low, high] = [0, minutes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((minutes[middle]?.atMs ?? Infinity) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An hour as the status page shows it. */
export interface Hour {
  fromMs: number;
  /** `unknown`: before the record; `off`: no instance ran; `quiet`: there was no request. */
  state: 'unknown' | 'off' | 'quiet' | 'good' | 'bad';
  text: string;
}

/** Returns the last 24 hours, the present one last. Pure. */
export function hoursOf(recorded: Recorded, nowMs: number): Hour[] {
  const thisHourMs = nowMs - (nowMs % HOUR_MS);
  return Array.from({ length: HOURS }, (_, place) => {
    const fromMs = thisHourMs - (HOURS - 1 - place) * HOUR_MS;
    const untilMs = Math.min(fromMs + HOUR_MS, nowMs + 1);
    return { fromMs, ...hourOf(periodOf(recorded, fromMs, untilMs)) };
  });
}

function hourOf(period: Period | undefined): Omit<Hour, 'fromMs'> {
  if (period === undefined) return { state: 'unknown', text: 'not recorded' };
  const { share, failed, shed, downMinutes, isDown } = period;
  if (isDown) return { state: 'off', text: 'not running' };
  const faults = faultText(period);
  if (failed + shed > 0) return { state: 'bad', text: `${share ?? ''} of requests answered; ${faults}` };
  if (downMinutes > 0) return { state: 'bad', text: faults };
  return share === undefined ? { state: 'quiet', text: 'no requests' } : { state: 'good', text: 'all answered' };
}

/** Describes the faults, in numbers; empty: there was none. Pure. */
export function faultText({ failed, shed, downMinutes }: Pick<Period, 'failed' | 'shed' | 'downMinutes'>): string {
  const parts = [
    failed === 0 ? '' : `${count(failed)} failed`,
    shed === 0 ? '' : `${count(shed)} refused because the service was busy`,
    downMinutes === 0 ? '' : `not running for ${durationText(downMinutes)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Returns a time in words, in hours from two on. Pure. */
export function durationText(minutes: number): string {
  if (minutes < 120) return minutes === 1 ? 'up to a minute' : `${count(minutes)} minutes`;
  return `${count(Math.round(minutes / 60))} hours`;
}

/**
 * Returns the answered requests in percent, rounded down, so that 100% means all of them; undefined: there was none.
 * Pure.
 */
export function shareOf({ answered, failed, shed }: Tally): string | undefined {
  const all = answered + failed + shed;
  if (all === 0) return undefined;
  return `${(Math.floor((answered / all) * 10_000) / 100).toString()}%`;
}
