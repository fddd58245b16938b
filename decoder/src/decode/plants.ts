import type { Strings } from '../catalog/strings.ts';
import type { CleanTables } from './clean-tables.ts';

/** The country of a WMI's first digit (ISO 3780). */
export const AMERICAN_COUNTRIES: readonly string[] = [
  '',
  'United States',
  'Canada',
  'Mexico',
  'United States',
  'United States',
  '',
  'United States',
];

/**
 * The first characters of WMIs whose cars come from one country (19 is J). Those of the United States are given to
 * other countries' cars too.
 */
export const ONE_COUNTRY: Readonly<Record<number, string>> = { 2: 'Canada', 3: 'Mexico', 19: 'Japan' };

/** Returns the plant that a city's name means: the only one, else that of the first country with one; -1 for none. */
export function plantOf(
  { plantStart, plantCountry }: Pick<CleanTables, 'plantStart' | 'plantCountry'>,
  strings: Strings,
  city: number,
  countries: readonly string[],
): number {
  const start = plantStart[city] as number;
  const end = plantStart[city + 1] as number;
  if (end - start === 1) return start;
  for (const country of countries) {
    for (let plant = start; plant < end; plant++) {
      if (strings.get(plantCountry[plant] as number) === country) return plant;
    }
  }
  return -1;
}
