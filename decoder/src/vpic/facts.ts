import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { ELEMENT, ELEMENTS, type VpicTables } from './tables.ts';

/** A variable of vPIC: its number, the name that people read, and the one that programs do. */
export interface VpicElement {
  id: number;
  name: string;
  code: string;
  /** Whether NHTSA's decoder answers with it; it keeps some for its own use. */
  shown: boolean;
}

/** A make by NHTSA's number. */
export interface VpicMake {
  id: number;
  name: string;
}

/** A model by NHTSA's number. */
export interface VpicModel extends VpicMake {
  make: VpicMake;
}

/** What NHTSA has on record of a WMI. */
export interface VpicWmi {
  manufacturer: string;
  makes: string[];
  /** Empty: not told. */
  vehicleType: string;
}

/** NHTSA's vocabulary, as far as the catalog holds it. For those who need parity; made when first asked for. */
export class VpicFacts {
  readonly #tables: VpicTables;
  readonly #strings: Strings;
  readonly #container: Container;
  #makes: VpicMake[] | undefined;
  #models: Map<string, VpicModel[]> | undefined;

  constructor(container: Container, tables: VpicTables, strings: Strings) {
    this.#container = container;
    this.#tables = tables;
    this.#strings = strings;
  }

  /** Every variable, by number. */
  elements(): VpicElement[] {
    const { elementName, elementCode, elementShown } = this.#tables;
    const found: VpicElement[] = [];
    for (let id = 0; id < ELEMENTS; id++) {
      const code = this.#strings.get(elementCode[id] ?? 0);
      if (code === '') continue;
      found.push({ id, code, name: this.#strings.get(elementName[id] ?? 0), shown: elementShown[id] === 1 });
    }
    return found;
  }

  /** NHTSA's text of an error code; empty for a code that it does not have. */
  errorText(code: number): string {
    return this.#tables.errors.get(code)?.text ?? '';
  }

  /** The makes that have a WMI or a model, by name. */
  makes(): readonly VpicMake[] {
    if (this.#makes === undefined) {
      const names = this.#container.u32('vpic.make.name');
      const ids = this.#container.u32('vpic.make.id');
      this.#makes = Array.from(ids, (id, index) => ({ id, name: this.#strings.get(names[index] ?? 0) }));
    }
    return this.#makes;
  }

  /** The models of a make that some VIN tells, by name; the make in any case of letters. */
  modelsOf(make: string): readonly VpicModel[] {
    this.#models ??= this.#readModels();
    return this.#models.get(make.trim().toLowerCase()) ?? [];
  }

  /** What is known of a WMI of three or six characters; undefined: it is not on record. */
  wmi(text: string): VpicWmi | undefined {
    const tables = this.#tables;
    const number = tables.wmiNumber(text);
    if (number < 0) return undefined;
    const makes = tables.wmiMakes.subarray(tables.wmiMakesStart[number], tables.wmiMakesStart[number + 1]);
    return {
      manufacturer: this.#strings.get(tables.wmiManufacturer[number] ?? 0),
      makes: Array.from(makes, (make) => this.#strings.get(make)),
      vehicleType: this.#strings.get(tables.vehicleTypeText[tables.wmiType[number] ?? 0] ?? 0),
    };
  }

  #readModels(): Map<string, VpicModel[]> {
    const { modelMake, valueBase } = this.#tables;
    const ids = this.#container.u32('vpic.model.id');
    const makes = new Map(this.makes().map((make) => [make.name.toLowerCase(), make]));
    const models = new Map<string, VpicModel[]>();
    const count = (valueBase[ELEMENT.model + 1] ?? 0) - (valueBase[ELEMENT.model] ?? 0);
    for (let value = 0; value < count; value++) {
      const key = this.#strings.get(modelMake[value] ?? 0).toLowerCase();
      const make = makes.get(key);
      const name = this.#tables.text(ELEMENT.model, value);
      if (make === undefined || name === '') continue;
      const list = models.get(key) ?? [];
      list.push({ id: ids[value] ?? 0, name, make });
      models.set(key, list);
    }
    for (const list of models.values()) list.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
    return models;
  }
}
