import { isoDay } from '../clock.ts';

interface MomentProps {
  ms: number;
  /** Shown as how long ago it was, for what matters only while it is recent. */
  isAgo?: boolean;
  /** True for times that are compared with a log. */
  hasSeconds?: boolean;
}

/** A moment, in UTC; `marque.js` writes it in the reader's zone and language. */
export function Moment({ ms, isAgo = false, hasSeconds = false }: MomentProps) {
  const iso = new Date(ms).toISOString();
  const text = `${iso.slice(0, 10)} ${iso.slice(11, hasSeconds ? 19 : 16)} UTC`;
  return (
    <time dateTime={iso} title={text} data-show={isAgo ? 'ago' : hasSeconds ? 'second' : 'minute'}>
      {text}
    </time>
  );
}

/** A day of UTC, by which usage is counted; `marque.js` writes it in the reader's language. */
export function Day({ ms }: { ms: number }) {
  return (
    <time dateTime={isoDay(ms)} data-show="day">
      {dayText(ms)}
    </time>
  );
}

/** Formats of days and months: one takes twenty times as long to make as to use. */
const formatOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const DAY = formatOf({ day: 'numeric', month: 'long', year: 'numeric' });
const SHORT_DAY = formatOf({ day: 'numeric', month: 'short' });
const MONTH = formatOf({ month: 'long', year: 'numeric' });

/** Returns a day in words: "December 1, 2026". */
export function dayText(ms: number): string {
  return DAY.format(ms);
}

/** Returns a day in short: "Dec 1". */
export function shortDay(ms: number): string {
  return SHORT_DAY.format(ms);
}

/** Returns a month in words: "November 2026". */
export function monthText(ms: number): string {
  return MONTH.format(ms);
}

/** Returns a waiting time, in the largest unit that gives at least two. */
export function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}

/** Returns the refusal of a password, a code or an address while it may not be tried. */
export function tooManyText(seconds: number): string {
  return `Too many attempts. Try again in ${waitText(seconds)}.`;
}
