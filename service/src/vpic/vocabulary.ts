import type { VpicFacts, VpicMake, VpicNamed, VpicWmi } from '@marque/decoder';

/** A make and a type of vehicle that it has a WMI for. */
export interface MakeOfType {
  make: VpicMake;
  type: VpicNamed;
}

/** Finds what NHTSA's lists are asked for. Names are found by any part of them, in any case, as NHTSA does. */
export class Vocabulary {
  readonly #facts: VpicFacts;
  #published: VpicWmi[] | undefined;
  #makeTypes: MakeOfType[] | undefined;

  constructor(facts: VpicFacts) {
    this.#facts = facts;
  }

  /** The makes that are called so, and where none is, those that have the text in their names; by number. */
  makesNamed(text: string): VpicMake[] {
    const makes = this.makesLike(text);
    const wanted = text.trim().toLowerCase();
    const exact = makes.filter(({ name }) => name.toLowerCase() === wanted);
    return exact.length > 0 ? exact : makes;
  }

  /** The makes that have the text in their names, by number. */
  makesLike(text: string): VpicMake[] {
    return like(this.#facts.makes(), text).toSorted((a, b) => a.id - b.id);
  }

  makeNumbered(id: number): VpicMake[] {
    return this.#facts.makes().filter((make) => make.id === id);
  }

  typesLike(text: string): VpicNamed[] {
    return like(this.#facts.vehicleTypes(), text);
  }

  /** The WMIs of a manufacturer by its number, or by any part of its name. */
  wmisOf(manufacturer: string): VpicWmi[] {
    const text = manufacturer.trim();
    if (/^\d+$/.test(text)) return this.#wmis().filter((wmi) => wmi.manufacturer.id === Number(text));
    const wanted = text.toLowerCase();
    return wanted === '' ? [] : this.#wmis().filter((wmi) => wmi.manufacturer.name.toLowerCase().includes(wanted));
  }

  /** Which types of vehicles the makes have WMIs for; by the numbers of makes and types. */
  makeTypes(): readonly MakeOfType[] {
    this.#makeTypes ??= this.#readMakeTypes();
    return this.#makeTypes;
  }

  #wmis(): VpicWmi[] {
    return (this.#published ??= [...this.#facts.wmis()].filter(({ published }) => published));
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

function like(named: readonly VpicNamed[], text: string): VpicNamed[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? [] : named.filter(({ name }) => name.toLowerCase().includes(wanted));
}
