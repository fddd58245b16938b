import { Type } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import { type Document, RESPONSE, RESULTS, withNote } from './formats.ts';
import { type List, optionalText } from './list-route.ts';
import { detailsOf } from './manufacturer-details.ts';
import type { Vocabulary } from './vocabulary.ts';

/** NHTSA's own number. */
const PAGE = 100;

const LISTED =
  'This service lists the manufacturers that have a published WMI, with the vehicle types of their WMIs. It does not hold their common names and countries, nor which type is the primary one.';
const NO_TYPES =
  'This service does not hold the types of manufacturers. Leave ManufacturerType out to list all manufacturers.';
const NO_DETAILS =
  'This service holds the number, name, and vehicle types of a manufacturer. Addresses, contacts and the rest are null: ask NHTSA for them.';

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
  page: optionalText('The page number, from 1. A page has 100 manufacturers.', { pattern: '^[1-9][0-9]{0,5}$' }),
});
const TypedPageQuery = Type.Object({
  ManufacturerType: optionalText("NHTSA's manufacturer type. The catalog does not have it, so the list is empty."),
  ...PageQuery.properties,
});

/** Returns a page of a long list; undefined: its first one. */
function pageOf<T>(all: readonly T[], page = '1'): T[] {
  const until = Number(page) * PAGE;
  return all.slice(until - PAGE, until);
}

/** Returns the lists of manufacturers, their WMIs and their makes. */
export function manufacturerLists(vocabulary: Vocabulary): List[] {
  return [...wmiLists(vocabulary), allManufacturers(vocabulary), details(vocabulary), ...makeLists(vocabulary)];
}

const wmiLists = (vocabulary: Vocabulary): List[] => [
  {
    path: 'GetWMIsForManufacturer/:manufacturer',
    operationId: 'getWmisForManufacturer',
    summary: "List a manufacturer's WMIs.",
    params: Manufacturer,
    query: TypeQuery,
    document: ({ manufacturer, vehicleType }) => wmisDocument(vocabulary, manufacturer, vehicleType),
  },
  {
    path: 'GetWMIsForManufacturer',
    operationId: 'getWmisOfType',
    summary: 'List the WMIs of a vehicle type.',
    query: TypeQuery,
    document: ({ vehicleType }) => {
      if (vehicleType === undefined) throw new HttpError(400, 'Add a manufacturer to the address, or a vehicleType.');
      return wmisDocument(vocabulary, undefined, vehicleType);
    },
  },
];

/** Returns the WMIs of manufacturers, of types of vehicles, or of both. */
function wmisDocument(vocabulary: Vocabulary, manufacturer: string | undefined, type: string | undefined): Document {
  const results = vocabulary.wmisOf(manufacturer, type).map((wmi) => ({
    Country: wmi.country === '' ? null : wmi.country,
    CreatedOn: wmi.createdOn ?? null,
    DateAvailableToPublic: wmi.availableOn ?? null,
    Id: wmi.manufacturer.id,
    Name: wmi.manufacturer.name,
    UpdatedOn: wmi.updatedOn ?? null,
    VehicleType: wmi.vehicleType?.name ?? '',
    WMI: wmi.wmi,
  }));
  const criteria = [
    ...(manufacturer === undefined ? [] : [`Manufacturer: ${manufacturer}`]),
    ...(type === undefined ? [] : [`VehicleType: ${type}`]),
  ];
  return { message: RESPONSE, searchCriteria: criteria.join(' | '), element: 'WMIsForManufacturer', results };
}

const allManufacturers = (vocabulary: Vocabulary): List => ({
  path: 'GetAllManufacturers',
  summary: 'List all manufacturers, 100 per page.',
  query: TypedPageQuery,
  document: ({ ManufacturerType: type = '', page }) => {
    const isTyped = type.trim() !== '';
    const found = isTyped ? [] : pageOf(vocabulary.manufacturers(), page);
    return {
      message: withNote(RESPONSE, isTyped ? NO_TYPES : LISTED),
      searchCriteria: null,
      element: 'Manufacturers',
      order: ['Mfr_ID', 'Mfr_Name', 'Mfr_CommonName', 'Country', 'VehicleTypes'],
      results: found.map(({ id, name, types }) => ({
        Country: null,
        Mfr_CommonName: null,
        Mfr_ID: id,
        Mfr_Name: name,
        VehicleTypes: types.map((known) => ({ IsPrimary: false, Name: known.name })),
      })),
    };
  },
});

const details = (vocabulary: Vocabulary): List => ({
  path: 'GetManufacturerDetails/:manufacturer',
  summary: 'Look up manufacturers, 100 per page.',
  params: Manufacturer,
  query: PageQuery,
  document: ({ manufacturer = '', page }) => {
    const found = pageOf(vocabulary.manufacturersLike(manufacturer), page);
    const results = found.map(({ id, name, types }) => {
      const typeNames = types.map((type) => type.name);
      return detailsOf(id, name, typeNames);
    });
    return { message: withNote(RESPONSE, NO_DETAILS), searchCriteria: null, element: 'ManufacturerDetails', results };
  },
});

const makeLists = (vocabulary: Vocabulary): List[] => [
  {
    path: 'GetMakeForManufacturer/:manufacturer',
    summary: 'List the makes of a manufacturer.',
    params: Manufacturer,
    document: ({ manufacturer = '' }) => {
      const results = vocabulary
        .manufacturersLike(manufacturer)
        .flatMap(({ name, makes }) =>
          makes.map((make) => ({ Make_ID: make.id, Make_Name: make.name.toUpperCase(), Mfr_Name: name })),
        )
        .toSorted((a, b) => a.Make_ID - b.Make_ID);
      const searchCriteria = `Manufacturer:${manufacturer}`;
      return { message: RESULTS, searchCriteria, element: 'ManufacturerMakes', results };
    },
  },
  {
    path: 'GetMakesForManufacturerAndYear/:manufacturer',
    summary: 'List the makes of a manufacturer by model year.',
    params: Manufacturer,
    query: YearQuery,
    document: ({ manufacturer = '', year }) => {
      const results = vocabulary
        .manufacturersLike(manufacturer)
        .flatMap((known) =>
          // Those for whose VINs NHTSA has a layout in that year.
          vocabulary.makesInYear(known, Number(year)).map(({ id, name }) => ({
            MakeId: id,
            MakeName: name.toUpperCase(),
            MfrId: known.id,
            MfrName: known.name,
          })),
        )
        .toSorted((a, b) => a.MakeId - b.MakeId);
      const searchCriteria = `Manufacturer : ${manufacturer}, Year: ${year}`;
      return { message: RESPONSE, searchCriteria, element: 'MakesForManufacturerAndYear', results };
    },
  },
];
