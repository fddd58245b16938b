import type { CanadianSpec, VpicFacts } from '@marque/decoder';

import type { Document } from './formats.ts';
import { RESULTS, withNote } from './messages.ts';

/** What the methods of this file are asked by. */
export interface OtherAsked {
  year?: string;
  make?: string;
  model?: string;
  units?: string;
  type?: string;
  fromDate?: string;
  toDate?: string;
  manufacturer?: string;
  equipmentType?: string;
  reportType?: string;
}

const NO_LETTERS =
  'This service does not hold the letters of manufacturers to NHTSA, so the list is empty. Ask NHTSA for them.';
const NO_PLANTS =
  'This service does not hold the codes of equipment plants (49 CFR 551 and 574), so the list is empty. Ask NHTSA for them.';

const MM_PER_CM = 10;
const MM_PER_INCH = 25.4;
const LB_PER_KG = 2.204_622_62;

/** What a list of Transport Canada's says that no table here holds: year of the model's design, bumpers, tracks, weight shares. */
const NOT_HELD = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'TWF', 'TWR', 'WD'];

/** Canadian Vehicle Specifications of a model year. */
export function canadianDocument(
  facts: VpicFacts,
  { year = '', make = '', model = '', units = '' }: OtherAsked,
): Document {
  const { source, specs } = facts.canadianSpecs({ year: Number(year), make, model });
  const isMetric = units.trim().toLowerCase() !== 'us';
  const results = specs.map((spec) => ({ Specs: specsOf(spec, isMetric) }));
  const note =
    results.length === 0
      ? 'This service has no such vehicle.'
      : `Source: ${source}. What that table does not have is empty.`;
  return {
    message: withNote(RESULTS, note),
    searchCriteria: undefined,
    element: 'CanadianVehicleSpecifications',
    results,
  };
}

function specsOf(spec: CanadianSpec, isMetric: boolean): { Name: string; Value: string }[] {
  const length = (mm: number): string => {
    if (mm === 0) return '';
    return String(isMetric ? Math.round(mm / MM_PER_CM) : Math.round((mm / MM_PER_INCH) * 10) / 10);
  };
  const { curbWeightKg: kg } = spec;
  const weight = kg === 0 ? '' : String(Math.round(isMetric ? kg : kg * LB_PER_KG));
  const values: [name: string, value: string][] = [
    ['Make', spec.make.toUpperCase()],
    ['Model', [spec.model, spec.badge, spec.body].filter(Boolean).join(' ').toUpperCase()],
    ['MYR', ''],
    ['OL', length(spec.lengthMm)],
    ['OW', length(spec.widthMm)],
    ['OH', length(spec.heightMm)],
    ['WB', length(spec.wheelbaseMm)],
    ['CW', weight],
    ...NOT_HELD.map((name): [string, string] => [name, '']),
  ];
  return values.map(([Name, Value]) => ({ Name, Value }));
}

/** Letters of manufacturers to NHTSA: none. */
export function partsDocument({ type, fromDate, toDate, manufacturer }: OtherAsked): Document {
  const criteria = [
    ['Type', type],
    ['From Date', fromDate],
    ['To Date', toDate],
    ['Manufacturer', manufacturer],
  ].flatMap(([label, value]) => (value === undefined || value === '' ? [] : [`${label}: ${value}`]));
  return {
    message: withNote(RESULTS, NO_LETTERS),
    searchCriteria: criteria.join(' | '),
    element: 'Parts',
    results: [],
  };
}

/** Plants of tires, brake hoses and glass: none. */
export function plantsDocument({ year = '', equipmentType = '', reportType = '' }: OtherAsked): Document {
  const searchCriteria = `Year:${year} | Equipment Type:${equipmentType} | Report Type: ${reportType.toLowerCase()}`;
  return { message: withNote(RESULTS, NO_PLANTS), searchCriteria, element: 'EquipmentPlantCodes', results: [] };
}
