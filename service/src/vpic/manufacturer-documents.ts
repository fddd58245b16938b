import type { Document } from './formats.ts';
import { RESPONSE, RESULTS, withNote } from './messages.ts';
import type { Vocabulary } from './vocabulary.ts';

/** NHTSA's own number. */
const PAGE = 100;

const LISTED =
  'This service lists the manufacturers that have a published WMI, with the vehicle types of their WMIs. It does not hold their common names and countries, nor which type is the primary one.';
const NO_TYPES =
  'This service does not hold the types of manufacturers. Leave ManufacturerType out to list all manufacturers.';
const NO_DETAILS =
  'This service holds the number, name, and vehicle types of a manufacturer. Addresses, contacts and the rest are null: ask NHTSA for them.';

/** The WMIs of manufacturers, of types of vehicles, or of both. */
export function wmisDocument(
  vocabulary: Vocabulary,
  manufacturer: string | undefined,
  type: string | undefined,
): Document {
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

/** A page of all manufacturers, a hundred each. */
export function manufacturersDocument(vocabulary: Vocabulary, type: string | undefined, page: number): Document {
  const isTyped = type !== undefined && type.trim() !== '';
  const found = isTyped ? [] : vocabulary.manufacturers().slice((page - 1) * PAGE, page * PAGE);
  const results = found.map(({ id, name, types }) => ({
    Country: null,
    Mfr_CommonName: null,
    Mfr_ID: id,
    Mfr_Name: name,
    VehicleTypes: types.map((known) => ({ IsPrimary: false, Name: known.name })),
  }));
  return {
    message: withNote(RESPONSE, isTyped ? NO_TYPES : LISTED),
    searchCriteria: null,
    element: 'Manufacturers',
    order: ['Mfr_ID', 'Mfr_Name', 'Mfr_CommonName', 'Country', 'VehicleTypes'],
    results,
  };
}

/** What is known of manufacturers by number or by any part of their names. */
export function detailsDocument(vocabulary: Vocabulary, manufacturer: string): Document {
  const results = vocabulary.manufacturersLike(manufacturer).map(({ id, name, types }) =>
    detailsOf(
      id,
      name,
      types.map((type) => type.name),
    ),
  );
  return { message: withNote(RESPONSE, NO_DETAILS), searchCriteria: null, element: 'ManufacturerDetails', results };
}

/** A manufacturer's details: what this service does not hold is null. */
export function detailsOf(id: number, name: string, types: readonly string[]): Document['results'][number] {
  return {
    Address: null,
    Address2: null,
    City: null,
    ContactEmail: null,
    ContactFax: null,
    ContactPhone: null,
    Country: null,
    DBAs: null,
    EquipmentItems: [],
    LastUpdated: null,
    ManufacturerTypes: [],
    Mfr_CommonName: null,
    Mfr_ID: id,
    Mfr_Name: name,
    OtherManufacturerDetails: null,
    PostalCode: null,
    PrimaryProduct: null,
    PrincipalFirstName: null,
    PrincipalLastName: null,
    PrincipalPosition: null,
    StateProvince: null,
    SubmittedName: null,
    SubmittedOn: null,
    SubmittedPosition: null,
    VehicleTypes: types.map((type) => ({ GVWRFrom: null, GVWRTo: null, IsPrimary: false, Name: type })),
  };
}

/** The makes of manufacturers by number or by any part of their names. */
export function makesOfManufacturerDocument(vocabulary: Vocabulary, manufacturer: string): Document {
  const results = vocabulary
    .manufacturersLike(manufacturer)
    .flatMap(({ name, makes }) =>
      makes.map((make) => ({ Make_ID: make.id, Make_Name: make.name.toUpperCase(), Mfr_Name: name })),
    )
    .toSorted((a, b) => a.Make_ID - b.Make_ID);
  return { message: RESULTS, searchCriteria: `Manufacturer:${manufacturer}`, element: 'ManufacturerMakes', results };
}

/** The same in a model year: those for whose VINs NHTSA has a layout then. */
export function makesInYearDocument(vocabulary: Vocabulary, manufacturer: string, year: number): Document {
  const results = vocabulary
    .manufacturersLike(manufacturer)
    .flatMap((known) =>
      vocabulary.makesInYear(known, year).map((make) => ({
        MakeId: make.id,
        MakeName: make.name.toUpperCase(),
        MfrId: known.id,
        MfrName: known.name,
      })),
    )
    .toSorted((a, b) => a.MakeId - b.MakeId);
  const searchCriteria = `Manufacturer : ${manufacturer}, Year: ${year}`;
  return { message: RESPONSE, searchCriteria, element: 'MakesForManufacturerAndYear', results };
}
