import type { VehicleReport } from '@marque/decoder';

import { groupOf } from '../../labels/groups.ts';
import { type Field, compareField } from '../../labels/compare.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import { type KnownVerdict, type VerdictFile, verdictOf } from '../../labels/verdict-file.ts';
import { Vocabulary } from '../learn/vocabulary.ts';
import { interpret } from '../../world/interpret.ts';
import type { WorldOutputs, VinLayout } from '../../world/model.ts';

/** Fields that labels can check: their name in a row and in a report. */
const FIELDS = [
  ['make', 'manufacturer'],
  ['model', 'model'],
  ['body', 'body'],
  ['fuelType', 'fuelType'],
  ['displacementCc', 'displacementCc'],
  ['powerKw', 'powerKw'],
  ['driveType', 'driveType'],
  ['transmission', 'transmission'],
] as const satisfies readonly (readonly [keyof WorldOutputs, Field])[];

/** The fields of a row that labels are held against. */
export type JudgedOutput = (typeof FIELDS)[number][0];

/** The surplus of cars of each labeled group that confirm a row over those that contradict it, by field. */
export type RowVerdicts = Map<JudgedOutput, Map<string, number>>;

/**
 * Compares every row with labeled cars for which it would be the answer.
 *
 * @param layouts the layouts with all of their rows, including those that are held back
 * @param known verdicts on labels: one that is known to be wrong counts nothing against a row
 * @returns the verdicts by the row's place, "volkswagen/models.csv:12"
 */
export function verdictsOf(
  layouts: readonly VinLayout[],
  cars: readonly LabeledVin[],
  known: VerdictFile = new Map(),
): Map<string, RowVerdicts> {
  const byWmi = new Map<string, VinLayout[]>();
  for (const layout of layouts) {
    for (const wmi of new Set(layout.wmis.map((one) => one.slice(0, 3)))) {
      byWmi.set(wmi, [...(byWmi.get(wmi) ?? []), layout]);
    }
  }
  const vocabulary = new Vocabulary(layouts);
  const verdicts = new Map<string, RowVerdicts>();
  for (const car of cars) {
    const reading = interpret(byWmi.get(car.vin.slice(0, 3)) ?? [], car.vin);
    if (reading === undefined) continue;
    const report = reportOf(reading.outputs);
    for (const [output, field] of FIELDS) {
      const verdict = compareField(field, car, report);
      if (verdict !== 'right' && verdict !== 'wrong') continue;
      if (isDisputed(verdictOf(known, car.vin, field))) continue;
      const { manufacturer = '', model = '' } = car.expected;
      // A name that the facts lack ("18 440" for a TGX) is no evidence about the name that they have.
      if (field === 'model' && verdict === 'wrong' && !vocabulary.knows(manufacturer, model)) continue;
      for (const row of reading.rows) {
        if (row.outputs[output] !== reading.outputs[output]) continue;
        const own = verdicts.get(row.origin) ?? new Map();
        verdicts.set(row.origin, own);
        const groups = own.get(output) ?? new Map<string, number>();
        own.set(output, groups);
        const group = groupOf(car.vin);
        groups.set(group, (groups.get(group) ?? 0) + (verdict === 'right' ? 1 : -1));
      }
    }
  }
  return verdicts;
}

/** Returns true if the label was found to be wrong, or the VIN not to decide it. */
function isDisputed(known: KnownVerdict | undefined): boolean {
  return known?.verdict === 'label' || known?.verdict === 'undecidable';
}

/** Returns the part of a report that is compared. */
function reportOf(outputs: WorldOutputs): Partial<VehicleReport> {
  const { make, model, body, fuelType, displacementCc, powerKw, driveType, transmission } = outputs;
  return {
    ...(make !== undefined && { manufacturer: make }),
    ...(model !== undefined && { model }),
    bodyStyleNormalized: body ?? 'unknown',
    specs: {
      ...(fuelType !== undefined && { fuelType }),
      ...(displacementCc !== undefined && { displacementCc }),
      ...(powerKw !== undefined && { powerKw }),
      ...(driveType !== undefined && { driveType }),
      ...(transmission !== undefined && { transmission }),
    },
  };
}
