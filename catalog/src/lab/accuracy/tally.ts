import type { VehicleReport } from '@marque/decoder';

import { type Field, FIELDS, compareField } from '../../labels/compare.ts';
import type { LabeledVin } from '../../labels/labeled.ts';

/** Counts of labeled VINs that were answered, and of answers that agree with the label. */
export interface Count {
  labeled: number;
  answered: number;
  right: number;
}

/** A decoded VIN with its label. */
export interface Scored {
  labeled: LabeledVin;
  report: Partial<VehicleReport>;
}

/** Counts every field over a set of decoded VINs. */
export function tally(scored: Iterable<Scored>): Record<Field, Count> {
  const counts = Object.fromEntries(FIELDS.map((field) => [field, { labeled: 0, answered: 0, right: 0 }])) as Record<
    Field,
    Count
  >;
  for (const { labeled, report } of scored) {
    for (const field of FIELDS) {
      const verdict = compareField(field, labeled, report);
      const count = counts[field];
      if (verdict === 'unlabeled') continue;
      count.labeled++;
      if (verdict !== 'unanswered') count.answered++;
      if (verdict === 'right') count.right++;
    }
  }
  return counts;
}

/** Groups by kind of vehicle as labeled, or else as decoded. */
export const BY_KIND = {
  title: 'kind',
  of: ({ labeled, report }: Scored): string => labeled.kind ?? report.vehicleType?.toLowerCase() ?? 'not known',
};

/** Groups by make as labeled, by kind as labeled or else as decoded, by region, and by band of model years. */
export const GROUPINGS: readonly { title: string; of: (scored: Scored) => string }[] = [
  {
    title: 'make',
    of: ({ labeled, report }) => report.manufacturer ?? labeled.expected.manufacturer ?? 'not labeled',
  },
  BY_KIND,
  { title: 'region', of: ({ report }) => report.region ?? 'unknown' },
  { title: 'year', of: ({ labeled }) => yearBand(Number(labeled.expected.modelYear)) },
];

const BAND = 5;

function yearBand(year: number): string {
  if (!Number.isInteger(year)) return 'not labeled';
  const from = Math.floor(year / BAND) * BAND;
  return `${from}-${from + BAND - 1}`;
}
