import type { Decoder, VehicleReport } from '@marque/decoder';

import { vinOf } from '../approvals/columns.ts';
import type { LabeledVin } from '../labels/labeled.ts';
import { countsOf, europeanOf, type Gain, gainsOf } from '../labels/gains.ts';

const MOST_CHANGES = 100;
/** Patterns that leave more open are of several models. */
const DESCRIBED = 8;

/** An answer that a register changes for the vehicles of some patterns. */
export interface Change {
  /** One of the patterns. */
  mask: string;
  field: string;
  before: string;
  after: string;
  /** The number of patterns of this model with this change. */
  patterns: number;
}

/** The differences between the answers of a catalog with the register and of the one in use. */
export interface ImportImpact {
  /** Labeled European VINs. */
  vins: number;
  gains: Gain[];
  /** All changes. */
  changed: number;
  /** The first hundred, by number of patterns. */
  changes: Change[];
}

/** Compares two catalogs on labeled European VINs, and on a VIN of each of a register's patterns. */
export function impactOfImport(
  before: Decoder,
  after: Decoder,
  masks: Iterable<string>,
  labeled: Iterable<LabeledVin>,
): ImportImpact {
  const vins = europeanOf(before, labeled);
  const changes = new Map<string, Change>();
  for (const mask of new Set(masks)) {
    if (mask.slice(0, DESCRIBED).includes('.')) continue;
    const vin = vinOf({ mask });
    const was = before.decode(vin);
    const told = new Map(answersOf(after.decode(vin)));
    for (const [field, value] of answersOf(was)) {
      const now = told.get(field);
      if (value === undefined || now === undefined || value === now) continue;
      const key = JSON.stringify([was.manufacturer, was.model, field, value, now]);
      const change = changes.get(key) ?? { mask, field, before: String(value), after: String(now), patterns: 0 };
      change.patterns++;
      changes.set(key, change);
    }
  }
  const sorted = [...changes.values()].toSorted((a, b) => b.patterns - a.patterns || (a.mask < b.mask ? -1 : 1));
  return {
    vins: vins.length,
    gains: gainsOf(countsOf(before, vins), countsOf(after, vins)),
    changed: sorted.length,
    changes: sorted.slice(0, MOST_CHANGES),
  };
}

function answersOf({ specs, manufacturer, model, modelYear }: VehicleReport): [string, string | number | undefined][] {
  return [
    ['modelYear', modelYear],
    ['manufacturer', manufacturer],
    ['model', model],
    ['fuel', specs?.fuelType],
    ['cc', specs?.displacementCc],
    ['powerKw', specs?.powerKw],
  ];
}
