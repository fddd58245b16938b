import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import { HttpError } from '../platform/http/http-error.ts';
import { addList } from './list-route.ts';
import {
  detailsDocument,
  makesInYearDocument,
  makesOfManufacturerDocument,
  manufacturersDocument,
  wmisDocument,
} from './manufacturer-documents.ts';
import type { Vocabulary } from './vocabulary.ts';

const Manufacturer = Type.Object({
  manufacturer: Type.String({
    description: "A manufacturer's number, or a part of its name, in any case.",
    examples: ['988'],
  }),
});
const TypeQuery = Type.Object({
  vehicleType: Type.Optional(
    Type.String({
      description: 'Only WMIs of this type of vehicle: its number, or a part of its name.',
      examples: ['car'],
    }),
  ),
});
const YearQuery = Type.Object({
  year: Type.String({ pattern: '^(19|20)[0-9]{2}$', description: 'A model year.', examples: ['2021'] }),
});
const PageQuery = Type.Object({
  ManufacturerType: Type.Optional(
    Type.String({
      description: "NHTSA's manufacturer type. The catalog does not have it, so the list is empty.",
    }),
  ),
  page: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,5}$',
      description: 'The page number, from 1. A page has 100 manufacturers.',
    }),
  ),
});

/** Adds the lists of manufacturers, their WMIs and their makes. */
export function addManufacturers(app: FastifyInstance, vocabulary: Vocabulary): void {
  addList(app, {
    path: 'GetWMIsForManufacturer/:manufacturer',
    operationId: 'getWmisForManufacturer',
    summary: "List a manufacturer's WMIs.",
    params: Manufacturer,
    query: TypeQuery,
    document: ({ manufacturer, vehicleType }) => wmisDocument(vocabulary, manufacturer, vehicleType),
  });
  addList(app, {
    path: 'GetWMIsForManufacturer',
    operationId: 'getWmisOfType',
    summary: 'List the WMIs of a vehicle type.',
    query: TypeQuery,
    document: ({ vehicleType }) => {
      if (vehicleType === undefined) throw new HttpError(400, 'Add a manufacturer to the address, or a vehicleType.');
      return wmisDocument(vocabulary, undefined, vehicleType);
    },
  });
  addList(app, {
    path: 'GetAllManufacturers',
    operationId: 'getAllManufacturers',
    summary: 'List all manufacturers, 100 per page.',
    query: PageQuery,
    document: ({ ManufacturerType, page = '1' }) => manufacturersDocument(vocabulary, ManufacturerType, Number(page)),
  });
  addList(app, {
    path: 'GetManufacturerDetails/:manufacturer',
    operationId: 'getManufacturerDetails',
    summary: 'Look up a manufacturer.',
    params: Manufacturer,
    document: ({ manufacturer = '' }) => detailsDocument(vocabulary, manufacturer),
  });
  addList(app, {
    path: 'GetMakeForManufacturer/:manufacturer',
    operationId: 'getMakeForManufacturer',
    summary: 'List the makes of a manufacturer.',
    params: Manufacturer,
    document: ({ manufacturer = '' }) => makesOfManufacturerDocument(vocabulary, manufacturer),
  });
  addList(app, {
    path: 'GetMakesForManufacturerAndYear/:manufacturer',
    operationId: 'getMakesForManufacturerAndYear',
    summary: 'List the makes of a manufacturer by model year.',
    params: Manufacturer,
    query: YearQuery,
    document: ({ manufacturer = '', year }) => makesInYearDocument(vocabulary, manufacturer, Number(year)),
  });
}
