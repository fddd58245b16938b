import type { Container } from '../catalog/container.ts';
import { NUMBER_ELEMENTS } from '../vpic-elements.ts';

/** People's words for each of vPIC's values; see catalog/src/vpic/compile-values.ts, which writes them. */
export class CleanTables {
  readonly modelMake: Uint32Array;
  readonly modelName: Uint32Array;
  readonly modelCode: Uint32Array;
  readonly wmiMake: Uint32Array;
  readonly vehicleType: Uint32Array;
  readonly bodyLabel: Uint32Array;
  readonly bodyStyle: Uint8Array;
  readonly cab: Uint32Array;
  readonly drive: Uint32Array;
  readonly city: Uint32Array;
  readonly country: Uint32Array;
  /** The plants that a city's name means: those from its start to the next one's. */
  readonly plantStart: Uint32Array;
  readonly plantCity: Uint32Array;
  readonly plantCountry: Uint32Array;
  readonly state: Uint32Array;
  readonly series: Uint32Array;
  readonly trim: Uint32Array;
  /** The one model that a trim belongs to, where NHTSA's rows give it to others too. */
  readonly trimOwner: Uint32Array;
  /** The badge that a trim starts with. */
  readonly badge: Uint32Array;
  readonly fuel: Uint32Array;
  /** Number of secondary fuels and of electrification levels, each with "none" in the first place. */
  readonly fuelSize: Uint32Array;
  readonly transmission: Uint32Array;
  /** The meaning of an engine's code: cylinders, and tenths of a liter; 0 if it gives none. */
  readonly engineCylinders: Uint8Array;
  readonly engineTenths: Uint8Array;
  readonly configuration: Uint8Array;
  readonly turbo: Uint8Array;
  readonly #numbers = new Map<number, Float64Array>();

  constructor(container: Container) {
    this.modelMake = container.distinct('clean.model.make');
    this.modelName = container.u32('clean.model.name');
    const models = this.modelMake.length;
    this.modelCode = container.sparse('clean.model.code', models);
    this.wmiMake = container.u32('clean.wmi.make');
    this.vehicleType = container.u32('clean.vehicleType');
    this.bodyLabel = container.u32('clean.body.label');
    this.bodyStyle = container.u8('clean.body.style');
    this.cab = container.u32('clean.cab');
    this.drive = container.u32('clean.drive');
    this.city = container.u32('clean.city');
    this.country = container.u32('clean.country');
    this.plantStart = container.u32('clean.plant.start');
    this.plantCity = container.u32('clean.plant.city');
    this.plantCountry = container.u32('clean.plant.country');
    this.state = container.u32('clean.state');
    this.series = container.u32('clean.series');
    this.trim = container.u32('clean.trim');
    this.trimOwner = container.u32('clean.trim.owner');
    this.badge = container.u32('clean.badge');
    this.fuel = container.u32('clean.fuel');
    this.fuelSize = container.u32('clean.fuel.size');
    this.transmission = container.u32('clean.transmission');
    this.engineCylinders = container.u8('clean.engine.cylinders');
    this.engineTenths = container.u8('clean.engine.tenths');
    this.configuration = container.u8('clean.configuration');
    this.turbo = container.u8('clean.turbo');
    for (const element of NUMBER_ELEMENTS) {
      this.#numbers.set(element, container.f64(`clean.number.${element}`));
    }
  }

  /** Returns an element's value as a number; 0 if it is not one. */
  number(element: number, value: number): number {
    return this.#numbers.get(element)?.[value] ?? 0;
  }
}
