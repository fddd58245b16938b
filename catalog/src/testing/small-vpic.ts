import { ELEMENT } from '@marque/decoder/format';

import type { VpicTables } from '../vpic/tables.ts';

const PASSENGER_CAR = 2;

/** A row of a small vPIC: a key such as "AB[1-3]**|*A", and the value of an element where a VIN holds it. */
export interface SmallRow {
  key: string;
  element: number;
  value: string;
  /** The number of the schema that has the row. */
  schema?: number;
  /** Microseconds since 2000 of the last change. */
  changed?: number;
}

/** A small vPIC of one WMI. */
export interface SmallVpic {
  wmi: string;
  make: string;
  /** NHTSA's number of the vehicle type. Default: a passenger car. */
  vehicleType?: number;
  rows: readonly SmallRow[];
  /** First and last year of each schema, from schema 1 on; null: open. Default: one schema of all years. */
  years?: readonly (readonly [from: number, to: number | null])[];
}

/** Returns vPIC's tables with the rows of one WMI, or with none. Models are known by their names. */
export function smallVpic(small?: SmallVpic): VpicTables {
  const rows = small?.rows ?? [];
  const make = small?.make ?? '';
  const years = small === undefined ? [] : (small.years ?? [[1980, null] as const]);
  const models = rows.filter(({ element }) => element === ELEMENT.model).map(({ value }) => value);
  return {
    label: 'small',
    isReduced: true,
    vehicleSpecs: [],
    checkDigitExceptions: [],
    facts: {},
    wmis: small === undefined ? [] : [wmiOf(small.wmi, make, small.vehicleType)],
    links: years.map(([yearFrom, yearTo], index) => ({ wmiId: 1, schemaId: index + 1, yearFrom, yearTo })),
    schemas: new Map(years.map((_, index) => [index + 1, `Schema ${index + 1}`])),
    patterns: {
      count: rows.length,
      id: Int32Array.from(rows, (_, index) => index + 1),
      schema: Int32Array.from(rows, ({ schema = 1 }) => schema),
      key: rows.map(({ key }) => key),
      element: Uint16Array.from(rows, ({ element }) => element),
      attribute: rows.map(({ value }) => value),
      changed: Float64Array.from(rows, ({ changed = 0 }) => changed),
    },
    lookupOfElement: new Map([[ELEMENT.vehicleType, 'vehicletype']]),
    lookups: new Map([['vehicletype', new Map([[String(PASSENGER_CAR), 'PASSENGER CAR']])]]),
    elements: new Map(),
    engineModels: new Map(),
    engineModelPatterns: [],
    makeOfModel: new Map(models.map((model) => [model, make])),
  };
}

function wmiOf(wmi: string, make: string, vehicleType = PASSENGER_CAR): VpicTables['wmis'][number] {
  return {
    id: 1,
    wmi,
    manufacturer: `${make} MOTORS`,
    manufacturerId: 1,
    vehicleType,
    truckType: 0,
    published: true,
    makes: [make],
    country: 'UNITED STATES (USA)',
    created: 0,
    updated: 0,
    available: 0,
  };
}
