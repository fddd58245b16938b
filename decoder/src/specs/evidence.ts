import type { FieldEvidence } from '../decode/explanation.ts';
import type { SpecAnswer } from './join.ts';

/** Fields of a draft by their path in the report; cylinders stand only in the engine's line. */
const PATHS: Readonly<Record<SpecAnswer['field'], string>> = {
  fuelType: 'specs.fuelType',
  driveType: 'specs.driveType',
  transmission: 'specs.transmission',
  emissionsStandard: 'specs.emissionsStandard',
  cylinders: 'specs.engine',
  displacementCc: 'specs.displacementCc',
  powerKw: 'specs.powerKw',
  batteryCapacityKwh: 'specs.batteryCapacityKwh',
  lengthMm: 'technicalSpecs.lengthMm',
  widthMm: 'technicalSpecs.widthMm',
  heightMm: 'technicalSpecs.heightMm',
  wheelbaseMm: 'technicalSpecs.wheelbaseMm',
  curbWeightKg: 'technicalSpecs.curbWeightKg',
  grossWeightKg: 'technicalSpecs.grossWeightKg',
  groundClearanceMm: 'technicalSpecs.groundClearanceMm',
  cargoVolumeLiters: 'technicalSpecs.cargoVolumeLiters',
  cargoVolumeMaxLiters: 'technicalSpecs.cargoVolumeMaxLiters',
};

/** Says of each value that tables of specifications settled from where it is, on what basis and for which market. */
export function specEvidence(answers: readonly SpecAnswer[]): FieldEvidence[] {
  return answers.map((answer) => ({
    field: PATHS[answer.field],
    value: String(answer.value),
    rows: [
      {
        value: String(answer.value),
        source: answer.source,
        row: `${answer.variants === 1 ? 'the one variant' : `all ${answer.variants} variants`} that the VIN allows, ${answer.basis}, ${answer.market}`,
        positions: [],
        confidence: 'B',
      },
    ],
    alternatives: [],
  }));
}
