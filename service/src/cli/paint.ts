import { styleText } from 'node:util';

import type { Output } from './io.ts';

/** When to use color; `auto`: on a terminal only. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export type ColorChoice = (typeof COLOR_CHOICES)[number];

/** Text as it is shown: color adds to what the words say and never says anything alone. */
export interface Paint {
  heading(text: string): string;
  label(text: string): string;
  fault(text: string): string;
}

const PLAIN: Paint = { heading: (text) => text, label: (text) => text, fault: (text) => text };

const COLORED: Paint = {
  heading: (text) => styleText('bold', text, { validateStream: false }),
  label: (text) => styleText('dim', text, { validateStream: false }),
  fault: (text) => styleText('red', text, { validateStream: false }),
};

/** Texts in color, or as they are. */
export function paintOf(colored: boolean): Paint {
  return colored ? COLORED : PLAIN;
}

/** Whether to use color; `auto`: on a terminal that supports it, unless NO_COLOR is set (no-color.org). */
export function isColored(choice: ColorChoice, output: Output, env: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  return output.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
