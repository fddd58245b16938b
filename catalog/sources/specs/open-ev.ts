import { readFileSync } from 'node:fs';

import type { SpecRow } from '../../src/specs/columns.ts';
import type { Families } from './names.ts';

interface Entry {
  brand: string;
  model: string;
  variant?: string;
  release_year: number;
  usable_battery_size: number;
  vehicle_type: string;
}

/** The years for which a variant without a successor may have been sold. */
const LIFE_YEARS = 8;

/**
 * Reads usable battery capacities of electric cars from open-ev-data (`ev-data.json`), by the year of a variant's
 * launch.
 */
export function readOpenEv(file: string, families: Families): SpecRow[] {
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: Entry[] };
  return data.flatMap((entry) =>
    entry.vehicle_type !== 'car' || entry.usable_battery_size < 5
      ? []
      : families.find(entry.brand, entry.model).map(({ make, model, badge }) => ({
          make,
          model,
          badge: [badge, (entry.variant ?? '').trim()].filter(Boolean).join(' '),
          from: entry.release_year,
          to: Math.min(entry.release_year + LIFE_YEARS, 2027),
          fuel: 'Electric',
          batteryKwh: Math.round(entry.usable_battery_size * 10) / 10,
        })),
  );
}
