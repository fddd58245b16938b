import type { VpicFacts } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import { addList } from './list-route.ts';
import { canadianDocument, partsDocument, plantsDocument } from './other-documents.ts';

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

/** Adds Canada's specifications, and the lists whose data the catalog does not hold: those are empty and say so. */
export function addOthers(app: FastifyInstance, facts: VpicFacts): void {
  addList(app, {
    path: 'GetCanadianVehicleSpecifications',
    operationId: 'getCanadianVehicleSpecifications',
    summary: 'List the outside dimensions that Transport Canada publishes.',
    query: SpecsQuery,
    document: (asked) => canadianDocument(facts, asked),
  });
  addList(app, {
    path: 'GetParts',
    operationId: 'getParts',
    summary: "List manufacturers' letters to NHTSA (always empty).",
    query: PartsQuery,
    document: partsDocument,
  });
  addList(app, {
    path: 'GetEquipmentPlantCodes',
    operationId: 'getEquipmentPlantCodes',
    summary: 'List plants of tires, hoses, and glass (always empty).',
    query: PlantsQuery,
    document: plantsDocument,
  });
}
