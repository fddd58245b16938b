import stringWidth from 'string-width';

import { visible } from './terminal-text.ts';

const GAP = 2;

/** A column of sentences is not wrapped to less than this. */
const NARROWEST = 16;

/**
 * Lays out rows under headings, columns as wide as their widest cell. If the terminal is narrower, columns of several
 * words are wrapped, the widest first; ids stay whole, so that they can be copied.
 */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: number | undefined,
): string {
  // Names may be anybody's: of any alphabet, and with characters that would steer a terminal.
  const cells = [headings, ...rows.map((row) => row.map(visible))];
  const widths = headings.map((_heading, column) =>
    cells.reduce((width, row) => Math.max(width, stringWidth(row[column] ?? '')), 0),
  );
  if (terminal !== undefined) narrow(widths, cells, terminal);
  return cells.flatMap((row) => linesOf(row, widths)).join('');
}

function narrow(widths: number[], cells: readonly (readonly string[])[], terminal: number): void {
  const excess = (): number => widths.reduce((sum, width) => sum + width + GAP, -GAP) - terminal;
  const wrappable = widths
    .map((_width, column) => column)
    .filter((column) => cells.some((row) => row[column]?.includes(' ')))
    .toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
  for (const column of wrappable) {
    const width = widths[column] ?? 0;
    if (excess() > 0) widths[column] = Math.max(Math.min(width, NARROWEST), width - excess());
  }
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = wrapped.map((lines, column) => padded(lines[line] ?? '', widths[column] ?? 0));
    return `${parts.join(' '.repeat(GAP)).trimEnd()}\n`;
  });
}

function wrap(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && stringWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
