import type { Container } from '../catalog/container.ts';

/** A value of an element, by its number in the catalog. */
export interface SpecValue {
  element: number;
  value: number;
}

interface Column {
  start: Uint32Array;
  element: Uint32Array;
  value: Uint32Array;
}

/** NHTSA's specifications of models: values by make, model and year that the VIN does not contain. */
export class VehicleSpecs {
  readonly #make: Uint32Array;
  readonly #type: Uint32Array;
  readonly #yearsStart: Uint32Array;
  readonly #years: Uint32Array;
  readonly #keys: Column;
  readonly #values: Column;
  readonly #ofModel = new Map<number, number[]>();

  constructor(container: Container) {
    const column = (name: string): Uint32Array => container.narrow(`vpic.vehicleSpec.${name}`);
    const starts = (name: string): Uint32Array => container.starts(`vpic.vehicleSpec.${name}.count`);
    const rows = (name: string): Column => ({
      start: starts(name),
      element: column(`${name}.element`),
      value: column(`${name}.value`),
    });
    this.#make = column('make');
    this.#type = column('type');
    this.#yearsStart = starts('years');
    this.#years = column('years');
    this.#keys = rows('keys');
    this.#values = rows('values');
    const models = column('models');
    const modelsStart = starts('models');
    for (let spec = 0; spec < this.#make.length; spec++) {
      for (let at = modelsStart[spec] ?? 0; at < (modelsStart[spec + 1] ?? 0); at++) {
        const model = models[at] ?? 0;
        const specs = this.#ofModel.get(model) ?? [];
        specs.push(spec);
        this.#ofModel.set(model, specs);
      }
    }
  }

  /**
   * Returns the values of each specification that applies to a vehicle.
   *
   * @param model number of the model's value
   * @param makes the WMI's makes, as numbers of strings
   * @param has returns true if the vehicle's VIN gives this value
   */
  valuesOf(
    { model, type, year, makes }: { model: number; type: number; year: number; makes: ReadonlySet<number> },
    has: (row: SpecValue) => boolean,
  ): SpecValue[] {
    return (this.#ofModel.get(model) ?? []).flatMap((spec) => {
      const fits = this.#type[spec] === type && makes.has(this.#make[spec] ?? 0) && this.#coversYear(spec, year);
      if (!fits || !rowsOf(this.#keys, spec).every(has)) return [];
      return rowsOf(this.#values, spec);
    });
  }

  #coversYear(spec: number, year: number): boolean {
    const years = this.#years.subarray(this.#yearsStart[spec] ?? 0, this.#yearsStart[spec + 1] ?? 0);
    return years.length === 0 || years.includes(year);
  }
}

function rowsOf({ start, element, value }: Column, spec: number): SpecValue[] {
  const rows: SpecValue[] = [];
  for (let at = start[spec] ?? 0; at < (start[spec + 1] ?? 0); at++) {
    rows.push({ element: element[at] ?? 0, value: value[at] ?? 0 });
  }
  return rows;
}
