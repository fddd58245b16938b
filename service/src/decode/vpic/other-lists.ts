import type { CanadianSpec, VpicFacts } from '@marque/decoder';
import { Type } from 'typebox';

import type { List } from './list-route.ts';
import { RESULTS, withNote } from './messages.ts';

const NO_LETTERS =
  'This service does not hold the letters of manufacturers to NHTSA, so the list is empty. Ask NHTSA for them.';
const NO_PLANTS =
  'This service does not hold the codes of equipment plants (49 CFR 551 and 574), so the list is empty. Ask NHTSA for them.';

const MM_PER_CM = 10;
const MM_PER_INCH = 25.4;
const LB_PER_KG = 2.204_622_62;

/** What a list of Transport Canada's says that no table here holds: year of the model's design, bumpers, tracks, weight shares. */
const NOT_HELD = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'TWF', 'TWR', 'WD'];

const text = (description: string) => Type.Optional(Type.String({ description }));

const SpecsQuery = Type.Object({
  year: Type.String({ pattern: '^(19|20)[0-9]{2}$', description: 'A model year.', examples: ['2011'] }),
  make: text('A make, or a part of its name, in any case.'),
  model: text('A model, or a part of its name, in any case.'),
  units: text('Metric (centimeters and kilograms) or US (inches and pounds). The default is Metric.'),
});
const PartsQuery = Type.Object({
  type: text('565 or 566: the part of 49 CFR.'),
  fromDate: text('The first day.'),
  toDate: text('The last day.'),
  manufacturer: text("A manufacturer's number, or a part of its name."),
  page: text('The page number.'),
});
const PlantsQuery = Type.Object({
  year: text('A year.'),
  equipmentType: text('1: tires, 3: brake hoses, 13: glazing, 16: retread.'),
  reportType: text('New, Updated, Closed, or All.'),
});

/** Canada's specifications, and the lists whose data the catalog does not hold: those are empty and say so. */
export function otherLists(facts: VpicFacts): List[] {
  return [canadianSpecs(facts), PARTS, PLANTS];
}

const canadianSpecs = (facts: VpicFacts): List => ({
  path: 'GetCanadianVehicleSpecifications',
  operationId: 'getCanadianVehicleSpecifications',
  summary: 'List the outside dimensions that Transport Canada publishes.',
  query: SpecsQuery,
  document: ({ year, make = '', model = '', units = '' }) => {
    const { source, specs } = facts.canadianSpecs({ year: Number(year), make, model });
    const isMetric = units.trim().toLowerCase() !== 'us';
    const note =
      specs.length === 0
        ? 'This service has no such vehicle.'
        : `Source: ${source}. What that table does not have is empty.`;
    return {
      message: withNote(RESULTS, note),
      searchCriteria: undefined,
      element: 'CanadianVehicleSpecifications',
      results: specs.map((spec) => ({ Specs: specsOf(spec, isMetric) })),
    };
  },
});

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
const PARTS: List = {
  path: 'GetParts',
  operationId: 'getParts',
  summary: "List manufacturers' letters to NHTSA (always empty).",
  query: PartsQuery,
  document: ({ type, fromDate, toDate, manufacturer }) => {
    const criteria = [
      ['Type', type],
      ['From Date', fromDate],
      ['To Date', toDate],
      ['Manufacturer', manufacturer],
    ].flatMap(([label, value]) => (value === undefined || value === '' ? [] : [`${label}: ${value}`]));
    const message = withNote(RESULTS, NO_LETTERS);
    return { message, searchCriteria: criteria.join(' | '), element: 'Parts', results: [] };
  },
};

/** Plants of tires, brake hoses and glass: none. */
const PLANTS: List = {
  path: 'GetEquipmentPlantCodes',
  operationId: 'getEquipmentPlantCodes',
  summary: 'List plants of tires, hoses, and glass (always empty).',
  query: PlantsQuery,
  document: ({ year = '', equipmentType = '', reportType = '' }) => {
    const searchCriteria = `Year:${year} | Equipment Type:${equipmentType} | Report Type: ${reportType.toLowerCase()}`;
    return { message: withNote(RESULTS, NO_PLANTS), searchCriteria, element: 'EquipmentPlantCodes', results: [] };
  },
};
