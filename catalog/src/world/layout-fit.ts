import { fixedPositions, hasValidCheckDigit, matchesPattern } from '@marque/decoder';

import { positionsOf } from './holds.ts';
import type { VinLayout } from './model.ts';
import { yearFit, yearsOf } from './years.ts';

/** The last model year that can have been coded. */
export const LATEST = 2027;

/**
 * Returns the fit of a layout for a VIN, before any row is read: the number of positions its discriminator fixes.
 * Undefined if the layout is not this VIN's, or the VIN's year not the layout's.
 */
export function layoutFit(layout: VinLayout, vin: string, latest = LATEST): number | undefined {
  const fit = discriminatorOf(layout, vin);
  return fit === undefined || yearCandidates(layout, vin, latest) === 'none in the layout' ? undefined : fit;
}

/** Returns the WMI under which the layout reads the VIN. */
export function wmiOf(layout: VinLayout, vin: string): string {
  const wmi = vin.slice(0, 3);
  return layout.wmis.includes(wmi) ? wmi : wmi + vin.slice(11, 14);
}

/** Returns the number of positions the layout's discriminator fixes, or undefined if the layout is not this VIN's. */
export function discriminatorOf(layout: VinLayout, vin: string): number | undefined {
  const wmi = vin.slice(0, 3);
  const long = vin.charAt(2) === '9' ? wmi + vin.slice(11, 14) : undefined;
  const known = layout.wmis.includes(wmi) ? 0 : long !== undefined && layout.wmis.includes(long) ? 3 : undefined;
  if (known === undefined) return undefined;
  if (layout.whenCheckDigit !== 'any' && hasValidCheckDigit(vin) !== (layout.whenCheckDigit === 'valid'))
    return undefined;
  const base = known + (layout.whenCheckDigit === 'any' ? 0 : 1);
  if (layout.when.length === 0) return base;
  const fixed = layout.when.map((text) => positionsOf(text)).filter((pattern) => matchesPattern(pattern, vin));
  return fixed.length === 0 ? undefined : base + Math.max(...fixed.map((pattern) => fixedPositions(pattern).length));
}

/** Returns the years that the VIN may mean under the layout; empty if it gives none. */
export function yearCandidates(layout: VinLayout, vin: string, latest: number): number[] | 'none in the layout' {
  if (layout.year === 'none') return [];
  const years = yearsOf(vin.charAt(layout.year === 'position-10' ? 9 : 10), latest);
  const possible = years.filter((year) => yearFit(layout.years, year) > 0);
  return years.length > 0 && possible.length === 0 ? 'none in the layout' : possible;
}
