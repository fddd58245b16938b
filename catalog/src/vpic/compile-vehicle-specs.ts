import { ELEMENT } from '@marque/decoder/format';

import { putNarrow, type Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import type { AttributeRow, VpicTables } from './tables.ts';
import type { ValueTable } from './values.ts';

/**
 * Writes the specifications of models that some pattern names; a specification of another model is never asked for.
 * They add values that no pattern has.
 */
export function compileVehicleSpecs(
  tables: VpicTables,
  values: ValueTable,
  strings: StringTable,
  sections: Sections,
): void {
  const named = new Set(values.attributes(ELEMENT.model));
  const specs = tables.vehicleSpecs
    .map((spec) => ({ ...spec, models: spec.models.filter((model) => named.has(model)) }))
    .filter(({ models }) => models.length > 0);
  const put = (name: string, column: number[]): void => putNarrow(sections, `vpic.vehicleSpec.${name}`, column);
  const putRows = (name: string, rows: AttributeRow[]): void => {
    put(
      `${name}.element`,
      rows.map(({ element }) => element),
    );
    put(
      `${name}.value`,
      rows.map(({ element, attribute }) => values.index(element, attribute)),
    );
  };
  put(
    'make',
    specs.map(({ make }) => strings.id(make)),
  );
  put(
    'type',
    specs.map(({ vehicleType }) => vehicleType),
  );
  for (const list of ['models', 'years', 'keys', 'values'] as const) {
    put(
      `${list}.count`,
      specs.map((spec) => spec[list].length),
    );
  }
  put(
    'models',
    specs.flatMap(({ models }) => models.map((model) => values.index(ELEMENT.model, model))),
  );
  put(
    'years',
    specs.flatMap(({ years }) => years),
  );
  putRows(
    'keys',
    specs.flatMap(({ keys }) => keys),
  );
  putRows(
    'values',
    specs.flatMap((spec) => spec.values),
  );
}

/** Writes the VINs with a wrong check digit that NHTSA accepts, sorted, one after the other. */
export function compileExceptions({ checkDigitExceptions }: VpicTables, sections: Sections): void {
  const whole = checkDigitExceptions.filter((vin) => /^[A-Z0-9]{17}$/.test(vin)).toSorted();
  sections.set('vpic.exception.vins', new TextEncoder().encode(whole.join('')));
}
