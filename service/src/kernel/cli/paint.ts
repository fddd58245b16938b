import { styleText } from 'node:util';

import type { Output } from './io.ts';

/** When to use color; `auto`: on a terminal only. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** Colors for the terminal; they add nothing that the text does not say. */
export type Paint = ReturnType<typeof paintOf>;

/** Returns functions that color texts, or leave them unchanged. */
export function paintOf(colored: boolean) {
  const painted = (format: 'bold' | 'dim' | 'red') => (text: string) =>
    colored ? styleText(format, text, { validateStream: false }) : text;
  return { heading: painted('bold'), label: painted('dim'), fault: painted('red') };
}

/** Returns true if color is used; `auto`: on a terminal that supports it, unless NO_COLOR is set (no-color.org). */
export function isColored(choice: ColorChoice, output: Output, env: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  return output.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
