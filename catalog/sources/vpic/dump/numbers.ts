import { DumpError } from './dump-error.ts';

/** A column that is a whole number. @throws DumpError when it is none. */
export function numberOf(text: string | null | undefined, what: string): number {
  if (text === null || text === undefined || !/^-?\d{1,15}$/.test(text)) {
    throw new DumpError(
      `The dump's ${what} is ${JSON.stringify(text ?? null)}, not a number. Download the file again.`,
    );
  }
  return Number(text);
}

/** The same where null means 0. */
export function numberOrZero(text: string | null, what: string): number {
  return text === null ? 0 : numberOf(text, what);
}
