import type { AttributeRow, VehicleSpecRow } from '../../../src/vpic/tables.ts';
import type { Collector } from './collect.ts';
import { numberOf, numberOrZero } from './numbers.ts';

/** Returns NHTSA's specifications of models: values by make, model and year that the VIN does not contain. */
export function vehicleSpecsOf({ rows, lookups }: Collector): VehicleSpecRow[] {
  const modelsOf = Map.groupBy(rows.vehiclespecschema_model, (row) => row.vehiclespecschemaid);
  const yearsOf = Map.groupBy(rows.vehiclespecschema_year, (row) => row.vehiclespecschemaid);
  const attributesOf = Map.groupBy(rows.vehiclespecpattern, (row) => row.vspecschemapatternid);
  const schemas = new Map(
    rows.vehiclespecschema
      .filter(({ tobeqced }) => tobeqced !== 't')
      .map((row) => [
        row.id,
        {
          make: lookups.get('make')?.get(row.makeid ?? '') ?? '',
          vehicleType: numberOrZero(row.vehicletypeid, 'vehicletypeid of a vehicle specification'),
          models: (modelsOf.get(row.id) ?? []).map(({ modelid }) => modelid ?? ''),
          years: (yearsOf.get(row.id) ?? []).map(({ year }) => numberOf(year, 'year of a vehicle specification')),
        },
      ]),
  );
  return rows.vspecschemapattern
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .flatMap(({ id, schemaid }) => {
      const schema = schemas.get(schemaid);
      if (schema === undefined) return [];
      const { keys = [], values = [] } = Object.groupBy(attributesOf.get(id) ?? [], ({ iskey }) =>
        iskey === 't' ? 'keys' : 'values',
      );
      const { make, vehicleType, models, years } = schema;
      return { make, vehicleType, models, years, keys: keys.map(attributeOf), values: values.map(attributeOf) };
    });
}

function attributeOf(row: { elementid: string | null; attributeid: string | null }): AttributeRow {
  return {
    element: numberOf(row.elementid, 'elementid of a vehicle specification'),
    attribute: row.attributeid ?? '',
  };
}
