import type { Result } from './formats.ts';

/** Returns a manufacturer's details: fields that this service lacks are null. */
export function detailsOf(id: number, name: string, types: readonly string[]): Result {
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
