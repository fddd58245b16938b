/** NHTSA's methods as the routes are named. */
export const METHODS = [
  'DecodeVin',
  'DecodeVinExtended',
  'DecodeVinValues',
  'DecodeVINValuesBatch',
  'DecodeVinValuesExtended',
  'DecodeWMI',
  'GetAllMakes',
  'GetAllManufacturers',
  'GetCanadianVehicleSpecifications',
  'GetEquipmentPlantCodes',
  'GetMakeForManufacturer',
  'GetMakesForManufacturerAndYear',
  'GetMakesForVehicleType',
  'GetManufacturerDetails',
  'GetModelsForMake',
  'GetModelsForMakeId',
  'GetModelsForMakeIdYear',
  'GetModelsForMakeYear',
  'GetParts',
  'GetVehicleTypesForMake',
  'GetVehicleTypesForMakeId',
  'GetVehicleVariableList',
  'GetVehicleVariableValuesList',
  'GetWMIsForManufacturer',
] as const;

const CANONICAL = new Map<string, string>(METHODS.map((method) => [method.toLowerCase(), method]));

/** Names of parts within a path, as the routes are written. */
const LABELS = new Map(['make', 'makeId', 'modelyear', 'vehicleType'].map((label) => [label.toLowerCase(), label]));

/** Names of what a query holds, as the routes are written. */
const QUERY_NAMES = new Map(
  [
    'api_key',
    'equipmentType',
    'format',
    'fromDate',
    'make',
    'manufacturer',
    'ManufacturerType',
    'model',
    'modelyear',
    'page',
    'reportType',
    'toDate',
    'type',
    'units',
    'vehicleType',
    'year',
  ].map((name) => [name.toLowerCase(), name]),
);

const PATH = /^\/api\/vehicles\/([^/?]+)([^?]*)(.*)$/i;

/**
 * The address as the routes know it: NHTSA's server takes paths and names of a query in any case, with and without a slash
 * at the end, and its clients make use of it. Any other address stays as it is.
 */
export function canonicalUrl(url: string): string {
  const [, name = '', rest = '', query = ''] = PATH.exec(url) ?? [];
  const method = CANONICAL.get(name.toLowerCase());
  if (method === undefined) return url;
  const path = rest.replace(/\/$/, '');
  const isLabelled = method.startsWith('GetModelsFor') && method.endsWith('Year');
  return `/api/vehicles/${method}${isLabelled ? labelled(path) : path}${withCanonicalNames(query)}`;
}

/** `?ModelYear=2011&FORMAT=json` as `?modelyear=2011&format=json`. */
function withCanonicalNames(query: string): string {
  return query.replace(/([?&])([a-z_]+)(?==)/gi, (whole, before: string, name: string) => {
    const known = QUERY_NAMES.get(name.toLowerCase());
    return known === undefined ? whole : `${before}${known}`;
  });
}

/** `/MAKE/honda/ModelYear/2015` as `/make/honda/modelyear/2015`. */
function labelled(path: string): string {
  return path
    .split('/')
    .map((part, index) => (index % 2 === 1 ? (LABELS.get(part.toLowerCase()) ?? part) : part))
    .join('/');
}
