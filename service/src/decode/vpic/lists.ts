import type { CanadianSpec, VpicFacts } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import type { LoopTurns } from '../../kernel/limits/loop-turns.ts';
import { WorkTurns } from '../../kernel/limits/work-turns.ts';
import type { NetworkOf } from '../../workspaces/index.ts';
import { addList, type List, openWritten, optionalText } from './list-route.ts';
import { modelLists, typeLists } from './make-lists.ts';
import { manufacturerLists } from './manufacturer-lists.ts';
import { RESPONSE, RESULTS, withNote } from './formats.ts';
import { Vocabulary } from './vocabulary.ts';

const Wmi = Type.Object({
  wmi: Type.String({ description: 'A WMI of three or six characters.', examples: ['1HG'] }),
});
const Variable = Type.Object({
  variable: Type.String({ description: 'A variable by its number or name.', examples: ['Vehicle Type'] }),
});

/** Adds NHTSA's lists: free, and the same for everybody. */
export function addLists(
  app: FastifyInstance,
  facts: VpicFacts,
  { networkOf, turns }: { networkOf: NetworkOf; turns: Pick<LoopTurns, 'next'> },
): void {
  const vocabulary = new Vocabulary(facts);
  const lists = [
    wmiList(facts),
    valuesList(vocabulary),
    ...manufacturerLists(vocabulary),
    ...otherLists(facts),
    ...typeLists(vocabulary),
    ...modelLists(facts, vocabulary),
    makesList(facts),
    variablesList(facts),
  ];
  const parts = { written: openWritten(), turns: new WorkTurns(turns), networkOf };
  for (const list of lists) addList(app, list, parts);
}

const wmiList = (facts: VpicFacts): List => ({
  path: 'DecodeWMI/:wmi',
  operationId: 'decodeWmi',
  summary: 'Look up a WMI.',
  params: Wmi,
  document: ({ wmi = '' }) => {
    const found = facts.wmi(wmi.toUpperCase());
    // Common names, parent companies and addresses are not in the catalog.
    const results =
      found?.published !== true
        ? []
        : (found.makes.length === 0 ? [''] : found.makes).map((make) => ({
            CommonName: '',
            CreatedOn: found.createdOn ?? null,
            DateAvailableToPublic: found.availableOn ?? null,
            Make: make.toUpperCase(),
            ManufacturerName: found.manufacturer.name.toUpperCase(),
            ParentCompanyName: '',
            URL: '',
            UpdatedOn: found.updatedOn ?? null,
            VehicleType: found.vehicleType?.name ?? '',
          }));
    return { message: RESULTS, searchCriteria: `WMI:${wmi}`, element: 'DecodedWMI', results };
  },
});

const valuesList = (vocabulary: Vocabulary): List => ({
  path: 'GetVehicleVariableValuesList/:variable',
  summary: 'List the values of a variable.',
  params: Variable,
  document: ({ variable = '' }) => {
    const { name, values } = vocabulary.valuesOf(variable);
    const results = values.map((value) => ({ ElementName: name, Id: value.id, Name: value.name }));
    return { message: RESULTS, searchCriteria: `Variable:${variable}`, element: 'VehicleVariableValues', results };
  },
});

const makesList = (facts: VpicFacts): List => ({
  path: 'GetAllMakes',
  summary: 'List all makes.',
  document: () => {
    const results = facts.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name.toUpperCase() }));
    return { message: RESPONSE, searchCriteria: null, element: 'AllVehicleMakes', results };
  },
});

const variablesList = (facts: VpicFacts): List => ({
  path: 'GetVehicleVariableList',
  summary: 'List all variables of a decode.',
  document: () => {
    const shown = facts.elements().filter((element) => element.shown);
    const results = shown.map(({ dataType, description, group, id, name }) => ({
      DataType: dataType,
      Description: description,
      GroupName: group === '' ? null : group,
      ID: id,
      Name: name,
    }));
    return { message: RESULTS, searchCriteria: null, element: 'VehicleVariables', results };
  },
});

const NO_LETTERS =
  'This service does not hold the letters of manufacturers to NHTSA, so the list is empty. Ask NHTSA for them.';
const NO_PLANTS =
  'This service does not hold the codes of equipment plants (49 CFR 551 and 574), so the list is empty. Ask NHTSA for them.';

const MM_PER_CM = 10;
const MM_PER_INCH = 25.4;
const LB_PER_KG = 2.204_622_62;

/**
 * Fields of a list of Transport Canada's that no table here has: year of the model's design, bumpers, tracks, weight
 * shares.
 */
const NOT_HELD = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'TWF', 'TWR', 'WD'];

const SpecsQuery = Type.Object({
  year: Type.String({ pattern: '^(19|20)[0-9]{2}$', description: 'A model year.', examples: ['2011'] }),
  make: optionalText('A make, or a part of its name, in any case.'),
  model: optionalText('A model, or a part of its name, in any case.'),
  units: optionalText('Metric (centimeters and kilograms) or US (inches and pounds). The default is Metric.'),
});
const PartsQuery = Type.Object({
  type: optionalText('565 or 566: the part of 49 CFR.'),
  fromDate: optionalText('The first day.'),
  toDate: optionalText('The last day.'),
  manufacturer: optionalText("A manufacturer's number, or a part of its name."),
  page: optionalText('The page number.'),
});
const PlantsQuery = Type.Object({
  year: optionalText('A year.'),
  equipmentType: optionalText('1: tires, 3: brake hoses, 13: glazing, 16: retread.'),
  reportType: optionalText('New, Updated, Closed, or All.'),
});

/** Returns Canada's specifications, and the lists whose data the catalog lacks: those are empty and say so. */
function otherLists(facts: VpicFacts): List[] {
  return [canadianSpecs(facts), PARTS, PLANTS];
}

const canadianSpecs = (facts: VpicFacts): List => ({
  path: 'GetCanadianVehicleSpecifications',
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
  summary: 'List plants of tires, hoses, and glass (always empty).',
  query: PlantsQuery,
  document: ({ year = '', equipmentType = '', reportType = '' }) => {
    const searchCriteria = `Year:${year} | Equipment Type:${equipmentType} | Report Type: ${reportType.toLowerCase()}`;
    return { message: withNote(RESULTS, NO_PLANTS), searchCriteria, element: 'EquipmentPlantCodes', results: [] };
  },
};
