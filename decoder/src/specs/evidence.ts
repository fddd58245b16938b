import type { FieldEvidence, RowEvidence } from '../decode/explanation.ts';
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

/**
 * A decode's evidence with that of the values that tables of specifications settled: from where each is, on what basis and for
 * which market. What else spoke of such a field stays as an alternative.
 */
export function withSpecEvidence(fields: readonly FieldEvidence[], answers: readonly SpecAnswer[]): FieldEvidence[] {
  const settled = new Map(answers.map((answer) => [PATHS[answer.field], answer]));
  const others = fields.filter(({ field }) => !settled.has(field) || field === PATHS.cylinders);
  const found = [...settled].filter(([path]) => path !== PATHS.cylinders);
  return [
    ...others,
    ...found.map(([field, answer]) => {
      const heard = fields.find((known) => known.field === field);
      const alternatives = heard === undefined ? [] : [...heard.rows, ...heard.alternatives];
      return { field, value: String(answer.value), rows: [rowOf(answer)], alternatives };
    }),
  ];
}

function rowOf({ value, source, basis, market, variants }: SpecAnswer): RowEvidence {
  const allowed = variants === 1 ? 'the one variant' : `all ${variants} variants`;
  return {
    value: String(value),
    source,
    row: `${allowed} that the VIN allows, ${basis}, ${market}`,
    positions: [],
    confidence: 'B',
  };
}
