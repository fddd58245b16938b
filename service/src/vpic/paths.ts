/** NHTSA's methods as the routes are named. */
const METHODS = [
  'DecodeVin',
  'DecodeVinValues',
  'DecodeVinValuesExtended',
  'DecodeVINValuesBatch',
  'DecodeWMI',
  'GetModelsForMake',
  'GetAllMakes',
] as const;

const CANONICAL = new Map(METHODS.map((method) => [method.toLowerCase(), method]));

const PATH = /^\/api\/vehicles\/([^/?]+)([^?]*)(.*)$/i;

/**
 * The address as the routes know it: NHTSA's server takes its paths in any case, with and without a slash at the end,
 * and its clients make use of it. Any other address stays as it is.
 */
export function canonicalUrl(url: string): string {
  const [, name = '', rest = '', query = ''] = PATH.exec(url) ?? [];
  const method = CANONICAL.get(name.toLowerCase());
  return method === undefined ? url : `/api/vehicles/${method}${rest.replace(/\/$/, '')}${query}`;
}
