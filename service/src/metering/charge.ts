import { readFileSync } from 'node:fs';

import { shippedFile } from '../kernel/config/places.ts';

/** Returns the function of PostgreSQL that charges a batch: `marque_charge`. */
export function chargeRoutine(): string {
  return readFileSync(shippedFile('src/metering/charge.sql'), 'utf8');
}
