import type { VehicleReport } from '@marque/decoder';

import type { LabeledVin } from './labeled.ts';
import { bodyWord, driveWord, fuelWord, gearWord, makeWord, modelsAgree } from './words.ts';

export const FIELDS = [
  'manufacturer',
  'model',
  'modelYear',
  'body',
  'fuelType',
  'displacementCc',
  'driveType',
  'transmission',
  'powerKw',
] as const;

export type Field = (typeof FIELDS)[number];

/** The result of comparing a labeled field. */
export type Verdict = 'unlabeled' | 'unanswered' | 'right' | 'wrong';

/** Labels round engines to a tenth of a liter. */
const DISPLACEMENT_TOLERANCE_CC = 70;
const POWER_TOLERANCE_KW = 2;

/** Compares one field of a report with its label. */
export function compareField(field: Field, labeled: LabeledVin, report: Partial<VehicleReport>): Verdict {
  const { wanted, got, agrees } = COMPARE[field](labeled, report);
  if (wanted === undefined || wanted === '') return 'unlabeled';
  if (got === undefined || got === '') return 'unanswered';
  return agrees ? 'right' : 'wrong';
}

interface Comparison {
  wanted: string | number | undefined;
  got: string | number | undefined;
  agrees: boolean;
}

type Compare = (labeled: LabeledVin, report: Partial<VehicleReport>) => Comparison;

const COMPARE: Readonly<Record<Field, Compare>> = {
  manufacturer: ({ expected }, { manufacturer }) => ({
    wanted: expected.manufacturer,
    got: manufacturer,
    agrees: makeWord(expected.manufacturer ?? '') === makeWord(manufacturer ?? ''),
  }),
  model: ({ expected }, { manufacturer, model, modelCode }) => ({
    wanted: expected.model,
    got: model,
    // Some name the car by the number that the report has as its code: "1117" is the estate of the Kalina.
    agrees: [model, modelCode].some((name) =>
      modelsAgree(expected.manufacturer ?? manufacturer ?? '', expected.model ?? '', name ?? ''),
    ),
  }),
  modelYear: ({ expected, yearBasis }, { modelYear }) => {
    const ahead = Number(modelYear) - Number(expected.modelYear);
    return {
      wanted: expected.modelYear,
      got: modelYear,
      agrees: ahead === 0 || (ahead === 1 && yearBasis !== 'model-year'),
    };
  },
  body: ({ expected }, { bodyStyleNormalized }) =>
    same(
      expected.bodyStyleNormalized ?? (expected.bodyStyle === undefined ? undefined : bodyWord(expected.bodyStyle)),
      bodyStyleNormalized === 'unknown' ? undefined : bodyStyleNormalized,
    ),
  fuelType: ({ expected }, { specs }) => {
    const { wanted, got, agrees } = words(fuelWord, expected.fuelType, specs?.fuelType);
    // A hybrid burns gasoline: sellers say either.
    const mixed = new Set([wanted, got]);
    return { wanted, got, agrees: agrees || (mixed.has('hybrid') && mixed.has('gasoline')) };
  },
  displacementCc: ({ expected }, { specs }) =>
    near(expected.displacementCc, specs?.displacementCc, DISPLACEMENT_TOLERANCE_CC),
  driveType: ({ expected }, { specs }) => words(driveWord, expected.driveType, specs?.driveType),
  transmission: ({ expected }, { specs }) => words(gearWord, expected.transmission, specs?.transmission),
  powerKw: ({ expected }, { specs }) => near(expected.powerKw, specs?.powerKw, POWER_TOLERANCE_KW),
};

function words(
  word: (text: string) => string | undefined,
  wanted: string | undefined,
  got: string | undefined,
): Comparison {
  return same(wanted === undefined ? undefined : word(wanted), got === undefined ? undefined : word(got));
}

function same(wanted: string | undefined, got: string | undefined): Comparison {
  return { wanted, got, agrees: wanted === got };
}

function near(wanted: number | undefined, got: number | undefined, tolerance: number): Comparison {
  return { wanted, got, agrees: Math.abs((wanted ?? 0) - (got ?? 0)) <= tolerance };
}
