import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { WmiIndex } from '../catalog/wmi-index.ts';
import { CODES } from '../vin/characters.ts';

/** The world's WMIs with make, country, vehicle type and layouts, and the regions of ISO 3780. */
export class WmiTables {
  readonly #wmis: WmiIndex;
  readonly make: Uint32Array;
  /** Makes that share the WMI, where none of them is the main one: "Buick / Chevrolet"; 0 elsewhere. */
  readonly makes: Uint32Array;
  readonly country: Uint32Array;
  readonly vehicleType: Uint32Array;
  readonly source: Uint32Array;
  readonly #shared: Uint8Array;
  readonly layoutStart: Uint32Array;
  readonly layouts: Uint16Array;
  /** The number of WMIs of the catalog itself: those of overlays come behind them. */
  readonly catalogWmis: number;
  readonly #region: Uint32Array;
  /** The countries of each region, by the numbers of their names. */
  readonly #countriesOf = new Map<number, Set<number>>();

  constructor(container: Container, strings: Strings) {
    this.make = container.u32('wmi.make');
    this.catalogWmis = Number(container.meta['catalogWmis'] ?? this.make.length);
    this.makes = container.u32('wmi.makes');
    this.country = container.u32('wmi.country');
    this.vehicleType = container.u32('wmi.vehicleType');
    this.source = container.u32('wmi.source');
    this.#shared = container.u8('wmi.shared');
    this.layoutStart = container.u32('wmi.profileStart');
    this.layouts = container.u16('wmi.profiles');
    this.#region = container.u32('region.name');
    for (const [cell, country] of container.u32('region.country').entries()) {
      const region = this.#region[cell] as number;
      const countries = this.#countriesOf.get(region) ?? new Set([0]);
      this.#countriesOf.set(region, countries.add(country));
    }
    this.#wmis = new WmiIndex(strings, container.u32('wmi.code'));
  }

  /** Returns the number of the VIN's six-character WMI, where the third character is 9; -1 = none. */
  findLong(codes: Uint8Array): number {
    return codes[2] === 9 ? this.#wmis.ofLong(codes) : -1;
  }

  /** Returns the number of the VIN's three-character WMI; -1 = none. */
  findShort(codes: Uint8Array): number {
    return this.#wmis.ofShort(codes);
  }

  /** Returns true if several makes use the WMI, so that it gives none. */
  isShared(wmi: number): boolean {
    return this.#shared[wmi] === 1;
  }

  /** Returns the number of the region's name: by the first two characters. */
  region(codes: Uint8Array): number {
    return this.#region[(codes[0] as number) * CODES + (codes[1] as number)] as number;
  }

  /** Returns true if the WMI's maker is of another region than its characters: some took their initials as a WMI. */
  isOfOtherRegion(codes: Uint8Array): boolean {
    const long = this.findLong(codes);
    const wmi = long >= 0 ? long : this.findShort(codes);
    return wmi >= 0 && this.#countriesOf.get(this.region(codes))?.has(this.country[wmi] as number) !== true;
  }
}
