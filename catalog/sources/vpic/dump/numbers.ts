import { DumpError } from './dump-error.ts';

/** Reads a column of whole numbers. @throws DumpError when it is not one. */
export function numberOf(text: string | null | undefined, what: string): number {
  if (text === null || text === undefined || !/^-?\d{1,15}$/.test(text)) {
    throw new DumpError(
      `The dump's ${what} is ${JSON.stringify(text ?? null)}, not a number. Download the file again.`,
    );
  }
  return Number(text);
}

/** Returns the same where null means 0. */
export function numberOrZero(text: string | null, what: string): number {
  return text === null ? 0 : numberOf(text, what);
}
