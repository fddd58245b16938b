import { DAY_MS } from '../clock.ts';

/** The moments between two days as a form sends them, both days included; what cannot be read is no filter. Pure. */
export function daysBetween(
  from: string | undefined,
  until: string | undefined,
): { fromMs?: number; untilMs?: number } {
  const fromMs = dayOf(from);
  const untilMs = dayOf(until);
  return {
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(untilMs === undefined ? {} : { untilMs: untilMs + DAY_MS }),
  };
}

/** A text of a form; undefined: it was left empty. Pure. */
export function given(text: string | undefined, longest: number): string | undefined {
  const trimmed = text?.trim().slice(0, longest);
  return trimmed === '' ? undefined : trimmed;
}

function dayOf(text: string | undefined): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
