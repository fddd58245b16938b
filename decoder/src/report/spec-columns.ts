/** The first year of the tables of specifications; shared by the compiler and the decoder. */
export const SPEC_FIRST_YEAR = 1980;

/** The columns of a table in the catalog file. A table without a column has an empty section. */
export const SPEC_TABLE_COLUMNS = [
  { name: 'from', type: 'u8' },
  { name: 'to', type: 'u8' },
  { name: 'badge', type: 'u16' },
  { name: 'generation', type: 'u16' },
  { name: 'vin', type: 'u16' },
  { name: 'body', type: 'u8' },
  { name: 'fuel', type: 'u8' },
  { name: 'cc', type: 'u16' },
  { name: 'cylinders', type: 'u8' },
  { name: 'charged', type: 'u8' },
  { name: 'drive', type: 'u8' },
  { name: 'gearbox', type: 'u8' },
  { name: 'powerKw', type: 'u16' },
  { name: 'batteryKwh', type: 'u16' },
  { name: 'emissions', type: 'u8' },
  { name: 'lengthMm', type: 'u16' },
  { name: 'widthMm', type: 'u16' },
  { name: 'heightMm', type: 'u16' },
  { name: 'wheelbaseMm', type: 'u16' },
  { name: 'curbKg', type: 'u16' },
  { name: 'grossKg', type: 'u16' },
  { name: 'clearanceMm', type: 'u16' },
  { name: 'cargoL', type: 'u16' },
  { name: 'cargoMaxL', type: 'u16' },
] as const;

export type SpecColumnName = (typeof SPEC_TABLE_COLUMNS)[number]['name'];
