import type { Container } from '../catalog/container.ts';
import { NUMBER_ELEMENTS } from '../vpic/elements.ts';

/** What people write for each of vPIC's values; see catalog/src/vpic/compile-values.ts, which writes it. */
export class CleanTables {
  readonly modelMake: Uint32Array;
  readonly modelName: Uint32Array;
  readonly modelCode: Uint32Array;
  /** Body style that people see instead of the one that vPIC's class gives; 0 = vPIC's is good. */
  readonly modelInstead: Uint32Array;
  readonly modelBody: Uint32Array;
  readonly modelBodyLabel: Uint32Array;
  readonly wmiMake: Uint32Array;
  readonly vehicleType: Uint32Array;
  readonly bodyLabel: Uint32Array;
  readonly bodyStyle: Uint8Array;
  readonly cab: Uint32Array;
  readonly drive: Uint32Array;
  readonly city: Uint32Array;
  readonly country: Uint32Array;
  readonly state: Uint32Array;
  readonly series: Uint32Array;
  readonly trim: Uint32Array;
  /** A trim that people call a model: of which model it is a trim, and the model's name. */
  readonly trimOf: Uint32Array;
  readonly trimModel: Uint32Array;
  /** The badge that a trim starts with. */
  readonly badge: Uint32Array;
  readonly fuel: Uint32Array;
  /** Number of secondary fuels and of electrification levels, each with "none" in the first place. */
  readonly fuelSize: Uint32Array;
  readonly transmission: Uint32Array;
  readonly configuration: Uint8Array;
  readonly turbo: Uint8Array;
  readonly #numbers = new Map<number, Float64Array>();

  constructor(container: Container) {
    this.modelMake = container.distinct('clean.model.make');
    this.modelName = container.u32('clean.model.name');
    const models = this.modelMake.length;
    this.modelCode = container.sparse('clean.model.code', models);
    this.modelInstead = container.sparse('clean.model.instead', models);
    this.modelBody = container.sparse('clean.model.body', models);
    this.modelBodyLabel = container.sparse('clean.model.bodyLabel', models);
    this.wmiMake = container.u32('clean.wmi.make');
    this.vehicleType = container.u32('clean.vehicleType');
    this.bodyLabel = container.u32('clean.body.label');
    this.bodyStyle = container.u8('clean.body.style');
    this.cab = container.u32('clean.cab');
    this.drive = container.u32('clean.drive');
    this.city = container.u32('clean.city');
    this.country = container.u32('clean.country');
    this.state = container.u32('clean.state');
    this.series = container.u32('clean.series');
    this.trim = container.u32('clean.trim');
    this.trimOf = container.u32('clean.trim.of');
    this.trimModel = container.u32('clean.trim.model');
    this.badge = container.u32('clean.badge');
    this.fuel = container.u32('clean.fuel');
    this.fuelSize = container.u32('clean.fuel.size');
    this.transmission = container.u32('clean.transmission');
    this.configuration = container.u8('clean.configuration');
    this.turbo = container.u8('clean.turbo');
    for (const element of NUMBER_ELEMENTS) {
      this.#numbers.set(element, container.f64(`clean.number.${element}`));
    }
  }

  /** An element's value as a number; 0 where it is none. */
  number(element: number, value: number): number {
    return this.#numbers.get(element)?.[value] ?? 0;
  }
}
