import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { ModelYears } from './model-years.ts';
import { ELEMENT, ELEMENTS } from '../vpic-elements.ts';
import { type CanadianQuery, type CanadianSpec, canadianSpecs } from '../specs/canadian.ts';
import type { SpecTables } from '../specs/tables.ts';
import type { VpicTables } from './tables.ts';

/** A variable of vPIC: its number, the name that people read, and the one that programs do. */
export interface VpicElement {
  id: number;
  name: string;
  code: string;
  /** True if NHTSA's decoder answers with it; it keeps some for its own use. */
  shown: boolean;
  /** Kind of the values: `lookup`, `string`, `int` or `decimal`. */
  dataType: string;
  /** Part of the vehicle; empty: none. */
  group: string;
  /** HTML, as NHTSA has it. */
  description: string;
}

/** Something that NHTSA has given a number. */
export interface VpicNamed {
  id: number;
  name: string;
}

/** A make by NHTSA's number. */
export type VpicMake = VpicNamed;

/** A model by NHTSA's number. */
export interface VpicModel extends VpicNamed {
  make: VpicMake;
}

/** NHTSA's record of a WMI. Days as `2015-03-26`. */
export interface VpicWmi {
  wmi: string;
  manufacturer: VpicNamed;
  makes: string[];
  /** Undefined: not given. */
  vehicleType: VpicNamed | undefined;
  country: string;
  createdOn: string | undefined;
  updatedOn: string | undefined;
  /** True if NHTSA had made it public when the catalog was built. */
  published: boolean;
  /** Since when, or from when on, NHTSA makes it public. */
  availableOn: string | undefined;
}

/** NHTSA's vocabulary, as far as the catalog has it. For callers who need parity; made at the first use. */
export class VpicFacts {
  readonly #tables: VpicTables;
  readonly #strings: Strings;
  readonly #container: Container;
  readonly #specs: SpecTables;
  #emptyGroups: string[] | undefined;
  #makes: VpicMake[] | undefined;
  #models: Map<string, (VpicModel & { value: number })[]> | undefined;
  #years: ModelYears | undefined;
  #countriesOfWmis: Uint32Array | undefined;

  constructor(container: Container, tables: VpicTables, strings: Strings, specs: SpecTables) {
    this.#container = container;
    this.#specs = specs;
    this.#tables = tables;
    this.#strings = strings;
  }

  /** Returns every variable, by number. */
  elements(): VpicElement[] {
    const { elementName, elementCode, elementShown } = this.#tables;
    const column = (name: string): ((id: number) => string) => {
      const ids = this.#container.u32(`vpic.element.${name}`);
      return (id) => this.#strings.get(ids[id] ?? 0);
    };
    const [dataType, group, description] = [column('dataType'), column('group'), column('description')];
    const found: VpicElement[] = [];
    for (let id = 0; id < ELEMENTS; id++) {
      const code = this.#strings.get(elementCode[id] ?? 0);
      if (code === '') continue;
      const name = this.#strings.get(elementName[id] ?? 0);
      const note = { dataType: dataType(id), group: group(id), description: description(id) };
      found.push({ id, code, name, shown: elementShown[id] === 1, ...note });
    }
    return found;
  }

  /**
   * Returns the parts of a vehicle, as NHTSA groups its variables, of which the catalog has no value at all: those that
   * a reduced set lacks. If all of a part is lacking, its own parts are not named.
   */
  emptyGroups(): readonly string[] {
    this.#emptyGroups ??= emptyGroupsOf(this.elements(), this.#tables);
    return this.#emptyGroups;
  }

  /** Returns NHTSA's text of an error code; empty for a code that it does not have. */
  errorText(code: number): string {
    return this.#tables.errors.get(code)?.text ?? '';
  }

  /** Returns every value that a variable can have, by NHTSA's number; none where NHTSA keeps no list of them. */
  valuesOf(element: number): VpicNamed[] {
    if (element === ELEMENT.make) return this.makes().toSorted((a, b) => a.id - b.id);
    if (element === ELEMENT.model) return this.#allModels();
    if (element === ELEMENT.manufacturer) return this.#manufacturers();
    const starts = this.#container.starts('vpic.lookup.count');
    const ids = this.#container.narrow('vpic.lookup.id');
    const names = this.#container.u32('vpic.lookup.name');
    const found: VpicNamed[] = [];
    for (let at = starts[element] ?? 0; at < (starts[element + 1] ?? 0); at++) {
      found.push({ id: ids[at] ?? 0, name: this.#strings.get(names[at] ?? 0) });
    }
    return found;
  }

  /** Returns true if NHTSA has a layout of this WMI's VINs for the model year. */
  coversYear(wmi: string, year: number): boolean {
    const { wmiLinks, linkFrom, linkTo } = this.#tables;
    const number = this.#tables.wmiNumber(wmi);
    if (number < 0) return false;
    for (let link = wmiLinks[number] ?? 0; link < (wmiLinks[number + 1] ?? 0); link++) {
      if (year >= (linkFrom[link] ?? 0) && year <= (linkTo[link] ?? 0)) return true;
    }
    return false;
  }

  /** Returns Transport Canada's specifications, as far as the catalog has them, with the title of the table. */
  canadianSpecs(query: CanadianQuery): { source: string; specs: CanadianSpec[] } {
    return canadianSpecs(this.#specs, query);
  }

  /** Returns the types of vehicles, by number. */
  vehicleTypes(): VpicNamed[] {
    const names = this.#container.u32('vpic.vehicleType.name');
    return Array.from(names, (name, id) => ({ id, name: this.#strings.get(name) })).filter(({ name }) => name !== '');
  }

  /** Returns the makes that have a WMI or a model, by name. */
  makes(): readonly VpicMake[] {
    if (this.#makes === undefined) {
      const names = this.#container.u32('vpic.make.name');
      const ids = this.#container.narrow('vpic.make.id');
      this.#makes = Array.from(ids, (id, index) => ({ id, name: this.#strings.get(names[index] ?? 0) }));
    }
    return this.#makes;
  }

  /**
   * Lists the models of a make that some VIN decodes to, by number; the make in any case of letters.
   *
   * @param within only models of VINs of this model year, or of this type of vehicle.
   */
  modelsOf(make: string, within: { year?: number | undefined; type?: number | undefined } = {}): VpicModel[] {
    this.#models ??= this.#readModels();
    const models = this.#models.get(make.trim().toLowerCase()) ?? [];
    const { year, type } = within;
    if (year === undefined && type === undefined) return models;
    const years = (this.#years ??= new ModelYears(this.#tables));
    return models.filter(({ value }) => years.names(value, year, type));
  }

  /** Yields every WMI, in the order of their texts. */
  *wmis(): Generator<VpicWmi> {
    const codes = this.#container.u32('vpic.wmi.code');
    for (const [number, code] of codes.entries()) yield this.#wmi(number, this.#strings.get(code));
  }

  /** Returns the record of a WMI of three or six characters; undefined if there is none. */
  wmi(text: string): VpicWmi | undefined {
    const number = this.#tables.wmiNumber(text);
    return number < 0 ? undefined : this.#wmi(number, text);
  }

  #allModels(): VpicNamed[] {
    this.#models ??= this.#readModels();
    const models = [...this.#models.values()].flat().map(({ id, name }) => ({ id, name }));
    return models.toSorted((a, b) => a.id - b.id);
  }

  #manufacturers(): VpicNamed[] {
    const found = new Map<number, VpicNamed>();
    for (const { manufacturer, published } of this.wmis()) {
      if (published && manufacturer.id !== 0) found.set(manufacturer.id, manufacturer);
    }
    return [...found.values()].toSorted((a, b) => a.id - b.id);
  }

  get #countries(): Uint32Array {
    return (this.#countriesOfWmis ??= this.#container.distinct('vpic.wmi.country'));
  }

  #wmi(number: number, wmi: string): VpicWmi {
    const tables = this.#tables;
    const makes = tables.wmiMakes.subarray(tables.wmiMakesStart[number], tables.wmiMakesStart[number + 1]);
    const days = this.#container.u16('vpic.wmi.days').subarray(number * 3, number * 3 + 3);
    const typeId = tables.wmiType[number] ?? 0;
    const typeName = this.#strings.get(this.#container.u32('vpic.vehicleType.name')[typeId] ?? 0);
    return {
      wmi,
      manufacturer: {
        id: tables.wmiManufacturerId[number] ?? 0,
        name: this.#strings.get(tables.wmiManufacturer[number] ?? 0),
      },
      makes: Array.from(makes, (make) => this.#strings.get(make)),
      vehicleType: typeName === '' ? undefined : { id: typeId, name: typeName },
      country: this.#strings.get(this.#countries[number] ?? 0),
      published: tables.wmiFlags[number] === 1,
      createdOn: dayText(days[0]),
      updatedOn: dayText(days[1]),
      availableOn: dayText(days[2]),
    };
  }

  #readModels(): Map<string, (VpicModel & { value: number })[]> {
    const { modelMake, modelId, valueBase } = this.#tables;
    const makes = new Map(this.makes().map((make) => [make.name.toLowerCase(), make]));
    const models = new Map<string, (VpicModel & { value: number })[]>();
    const count = (valueBase[ELEMENT.model + 1] ?? 0) - (valueBase[ELEMENT.model] ?? 0);
    for (let value = 0; value < count; value++) {
      const key = this.#strings.get(modelMake[value] ?? 0).toLowerCase();
      const make = makes.get(key);
      const name = this.#tables.text(ELEMENT.model, value);
      if (make === undefined || name === '') continue;
      const list = models.get(key) ?? [];
      list.push({ id: modelId[value] ?? 0, name, make, value });
      models.set(key, list);
    }
    for (const list of models.values()) list.sort((a, b) => a.id - b.id);
    return models;
  }
}

function dayText(day: number | undefined): string | undefined {
  return day === undefined || day === 0 ? undefined : new Date(day * 86_400_000).toISOString().slice(0, 10);
}

function emptyGroupsOf(elements: readonly VpicElement[], { valueBase }: VpicTables): string[] {
  const groups = new Map<string, boolean>();
  for (const { id, group, shown } of elements) {
    if (!shown || group === '') continue;
    const isEmpty = valueBase[id] === valueBase[id + 1];
    // A variable belongs to its part, and to the part that this is a part of.
    for (const name of [group.split(' / ', 1)[0] ?? '', group]) groups.set(name, isEmpty && (groups.get(name) ?? true));
  }
  const empty = [...groups].flatMap(([name, isEmpty]) => (isEmpty ? [name] : []));
  return empty.filter((name) => !empty.some((other) => name.startsWith(`${other} / `))).toSorted();
}
