/** NHTSA's methods as the routes are named. */
export const METHODS = [
  'DecodeVin',
  'DecodeVinExtended',
  'DecodeVinValues',
  'DecodeVinValuesExtended',
  'DecodeVINValuesBatch',
  'DecodeWMI',
  'GetAllMakes',
  'GetMakesForVehicleType',
  'GetModelsForMake',
  'GetModelsForMakeId',
  'GetModelsForMakeIdYear',
  'GetModelsForMakeYear',
  'GetVehicleTypesForMake',
  'GetVehicleTypesForMakeId',
  'GetVehicleVariableList',
  'GetWMIsForManufacturer',
] as const;

const CANONICAL = new Map<string, string>(METHODS.map((method) => [method.toLowerCase(), method]));

/** Names of parts within a path, as the routes are written. */
const LABELS = new Map(['make', 'makeId', 'modelyear', 'vehicleType'].map((label) => [label.toLowerCase(), label]));

const PATH = /^\/api\/vehicles\/([^/?]+)([^?]*)(.*)$/i;

/**
 * The address as the routes know it: NHTSA's server takes its paths in any case, with and without a slash at the end,
 * and its clients make use of it. Any other address stays as it is.
 */
export function canonicalUrl(url: string): string {
  const [, name = '', rest = '', query = ''] = PATH.exec(url) ?? [];
  const method = CANONICAL.get(name.toLowerCase());
  if (method === undefined) return url;
  const path = rest.replace(/\/$/, '');
  return `/api/vehicles/${method}${method.endsWith('Year') ? labelled(path) : path}${query}`;
}

/** `/MAKE/honda/ModelYear/2015` as `/make/honda/modelyear/2015`. */
function labelled(path: string): string {
  return path
    .split('/')
    .map((part, index) => (index % 2 === 1 ? (LABELS.get(part.toLowerCase()) ?? part) : part))
    .join('/');
}
