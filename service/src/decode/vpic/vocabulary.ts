import type { VpicFacts, VpicMake, VpicNamed, VpicWmi } from '@marque/decoder';

/** A make and a type of vehicle that it has a WMI for. */
export interface MakeOfType {
  make: VpicMake;
  type: VpicNamed;
}

/** Someone who has a WMI, with the makes and the types of vehicles of all its WMIs by number. */
interface Manufacturer extends VpicNamed {
  makes: readonly VpicMake[];
  types: readonly VpicNamed[];
  /** Its published WMIs. */
  wmis: readonly VpicWmi[];
}

/** Finds what NHTSA's lists are asked for. Names are found by any part of them, in any case, as NHTSA does. */
export class Vocabulary {
  readonly #facts: VpicFacts;
  #published: VpicWmi[] | undefined;
  #makeTypes: MakeOfType[] | undefined;
  #manufacturers: Manufacturer[] | undefined;

  constructor(facts: VpicFacts) {
    this.#facts = facts;
  }

  /** Returns the makes of this name, or if there is none, those with the text in their names; by number. */
  makesNamed(text: string): VpicMake[] {
    const makes = this.makesLike(text);
    const wanted = text.trim().toLowerCase();
    const exact = makes.filter(({ name }) => name.toLowerCase() === wanted);
    return exact.length > 0 ? exact : makes;
  }

  /** Returns the makes that have the text in their names, by number. */
  makesLike(text: string): VpicMake[] {
    return like(this.#facts.makes(), text).toSorted((a, b) => a.id - b.id);
  }

  makeNumbered(id: number): VpicMake[] {
    return this.#facts.makes().filter((make) => make.id === id);
  }

  /** Returns the types of vehicles with this number, or with the text in their names. */
  typesLike(text: string): VpicNamed[] {
    return numberedOrLike(this.#facts.vehicleTypes(), text);
  }

  /**
   * Returns the WMIs of manufacturers by number, or by any part of their names; those of some types of vehicles alone
   * on request.
   */
  wmisOf(manufacturer: string | undefined, vehicleType: string | undefined): VpicWmi[] {
    let wmis = this.#wmis();
    if (manufacturer !== undefined) {
      const ids = new Set(this.manufacturersLike(manufacturer).map(({ id }) => id));
      wmis = wmis.filter((wmi) => ids.has(wmi.manufacturer.id));
    }
    if (vehicleType === undefined) return wmis;
    const types = new Set(this.typesLike(vehicleType).map(({ id }) => id));
    return wmis.filter((wmi) => wmi.vehicleType !== undefined && types.has(wmi.vehicleType.id));
  }

  /** Returns all manufacturers that have a published WMI, by number. */
  manufacturers(): readonly Manufacturer[] {
    return (this.#manufacturers ??= this.#readManufacturers());
  }

  /** Returns the manufacturer with this number, or those with the text in their names. */
  manufacturersLike(text: string): Manufacturer[] {
    return numberedOrLike(this.manufacturers(), text);
  }

  /** Returns the makes for which a manufacturer has a layout of VINs in a model year, by number. */
  makesInYear({ wmis, makes }: Manufacturer, year: number): VpicMake[] {
    const names = new Set(wmis.filter(({ wmi }) => this.#facts.coversYear(wmi, year)).flatMap((wmi) => wmi.makes));
    return makes.filter(({ name }) => names.has(name));
  }

  /** Returns the variable with this number or name, and every value that it can have. */
  valuesOf(variable: string): { name: string; values: VpicNamed[] } {
    const wanted = variable.trim().toLowerCase();
    const element = this.#facts
      .elements()
      .find(({ id, name }) => String(id) === wanted || name.toLowerCase() === wanted);
    return element === undefined
      ? { name: variable, values: [] }
      : { name: element.name, values: this.#facts.valuesOf(element.id) };
  }

  /** Returns the types of vehicles for which the makes have WMIs; by the numbers of makes and types. */
  makeTypes(): readonly MakeOfType[] {
    this.#makeTypes ??= this.#readMakeTypes();
    return this.#makeTypes;
  }

  #wmis(): VpicWmi[] {
    return (this.#published ??= [...this.#facts.wmis()].filter(({ published }) => published));
  }

  #readManufacturers(): Manufacturer[] {
    const makes = new Map(this.#facts.makes().map((make) => [make.name, make]));
    const wmisOf = Map.groupBy(this.#wmis(), ({ manufacturer }) => manufacturer.id);
    wmisOf.delete(0);
    const found = [...wmisOf].map(([id, wmis]) => ({
      id,
      name: wmis[0]?.manufacturer.name ?? '',
      makes: byId(wmis.flatMap((wmi) => wmi.makes.flatMap((name) => makes.get(name) ?? []))),
      types: byId(wmis.flatMap(({ vehicleType }) => vehicleType ?? [])),
      wmis,
    }));
    return found.toSorted((a, b) => a.id - b.id);
  }

  #readMakeTypes(): MakeOfType[] {
    const makes = new Map(this.#facts.makes().map((make) => [make.name, make]));
    const found = new Map<string, MakeOfType>();
    for (const { makes: names, vehicleType: type } of this.#wmis()) {
      for (const name of names) {
        const make = makes.get(name);
        if (make !== undefined && type !== undefined) found.set(`${make.id}:${type.id}`, { make, type });
      }
    }
    return [...found.values()].toSorted((a, b) => a.make.id - b.make.id || a.type.id - b.type.id);
  }
}

/** Returns each one once, by number. */
function byId(named: readonly VpicNamed[]): VpicNamed[] {
  return [...new Map(named.map((one) => [one.id, one])).values()].toSorted((a, b) => a.id - b.id);
}

function numberedOrLike<Named extends VpicNamed>(named: readonly Named[], text: string): Named[] {
  const wanted = text.trim();
  if (!/^\d+$/.test(wanted)) return like(named, wanted);
  // Once: a number of thousands of digits takes long to read.
  const number = Number(/^0*(\d{1,9})$/.exec(wanted)?.[1]);
  return named.filter(({ id }) => id === number);
}

function like<Named extends VpicNamed>(named: readonly Named[], text: string): Named[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? [] : named.filter(({ name }) => name.toLowerCase().includes(wanted));
}
