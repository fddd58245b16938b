/** Longer lines are cut here: no VIN is this long, and a file without line ends must not fill the memory. */
export const LONGEST_LINE = 1_024;

/** The lines of a text that hold anything, trimmed, in order. */
export function linesIn(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(tidied)
    .filter((line) => line !== '');
}

function tidied(line: string): string {
  // The byte order mark that some editors put before the first line is not part of it.
  return line
    .slice(0, LONGEST_LINE)
    .replace(/^\uFEFF/, '')
    .trim();
}
