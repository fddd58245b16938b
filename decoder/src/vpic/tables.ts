import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { WmiIndex } from '../catalog/wmi-index.ts';
import { CODES } from '../vin/characters.ts';
import { ELEMENT } from '../vpic-elements.ts';
import { VehicleSpecs } from './vehicle-specs.ts';

/** A row with this value number gives digits of the VIN itself. */
export const DIGITS_OF_VIN = 0xffff;

/** The last year of a schema that NHTSA gives none. */
export const OPEN_YEAR = 2999;

const WMI_CODES = CODES ** 3;

/** The last position that a WMI of six characters takes. */
const LONG_WMI_TO = 14;

/** vPIC's part of the catalog as typed arrays; `index` fields are made at opening by plain loops. */
export class VpicTables {
  readonly strings: Strings;
  readonly #wmis: WmiIndex;
  readonly #container: Container;
  #vehicleSpecs: VehicleSpecs | undefined;
  /** VINs with a wrong check digit that NHTSA accepts, in order. */
  readonly exceptions: Uint8Array;
  readonly wmiType: Uint8Array;
  readonly wmiTruck: Uint8Array;
  readonly wmiFlags: Uint8Array;
  readonly wmiManufacturer: Uint32Array;
  readonly wmiManufacturerId: Uint32Array;
  readonly wmiMakesStart: Uint32Array;
  readonly wmiMakes: Uint32Array;
  readonly wmiLinks: Uint32Array;
  readonly linkSchema: Uint16Array;
  readonly linkFrom: Uint16Array;
  readonly linkTo: Uint16Array;
  readonly schemaName: Uint32Array;
  readonly schemaEntries: Uint32Array;
  readonly entryKey: Uint16Array;
  /** First row of each entry, and one past the last entry's rows. */
  readonly entryRows: Uint32Array;
  readonly rowElement: Uint8Array;
  readonly rowValue: Uint16Array;
  /** Rank among rows that can compete, 1 best; 0 = never competes. */
  readonly rowRank: Uint16Array;
  readonly keyStart: Uint32Array;
  readonly keyColumn: Uint8Array;
  readonly keySet: Uint16Array;
  readonly setWords: Uint32Array;
  /** Key number to the columns of its first and last digit sign. */
  readonly keyDigits = new Map<number, { from: number; to: number }>();
  readonly engineRank = new Map<number, number>();
  readonly displacementChanged = new Map<number, number>();
  readonly engineStart: Uint32Array;
  readonly engineElement: Uint8Array;
  readonly engineValue: Uint16Array;
  readonly valueBase: Uint32Array;
  readonly valueText: Uint32Array;
  readonly modelMake: Uint32Array;
  readonly modelId: Uint32Array;
  /** The start of an element's numbers in `valueId`; elements without a lookup table have no room. */
  readonly valueIdBase: Uint32Array;
  readonly valueId: Uint32Array;
  readonly bodyFlags: Uint8Array;
  /** Six conversions among the displacement elements: text of the result by value of the source. */
  readonly conversions: Uint32Array[];
  readonly elementWeight: Uint8Array;
  readonly elementShown: Uint8Array;
  readonly elementName: Uint32Array;
  readonly elementCode: Uint32Array;
  readonly defaults = new Map<number, { element: number; text: number }[]>();
  readonly errors = new Map<number, { weight: number; text: string; more: string }>();
  readonly descriptors = new Map<string, number>();
  /** 1 = some vehicle descriptor of this WMI has a fixed year; by packed three-character code. */
  readonly descriptorWmis = new Uint8Array(WMI_CODES);
  readonly vehicleTypeText: Uint32Array;

  constructor(container: Container, strings: Strings) {
    this.strings = strings;
    this.#wmis = new WmiIndex(strings, container.u32('vpic.wmi.code'));
    this.wmiType = container.u8('vpic.wmi.type');
    this.wmiTruck = container.u8('vpic.wmi.truck');
    this.wmiFlags = container.u8('vpic.wmi.flags');
    this.wmiManufacturer = container.u32('vpic.wmi.manufacturer');
    this.wmiManufacturerId = container.narrow('vpic.wmi.manufacturerId');
    this.wmiMakesStart = container.starts('vpic.wmi.makeCount');
    this.wmiMakes = container.u32('vpic.wmi.makes');
    this.wmiLinks = container.starts('vpic.wmi.linkCount');
    this.linkSchema = container.u16('vpic.link.schema');
    this.linkFrom = container.u16('vpic.link.from');
    this.linkTo = container.u16('vpic.link.to');
    this.schemaName = container.u32('vpic.schema.name');
    this.schemaEntries = container.starts('vpic.schema.entries');
    this.entryKey = container.u16('vpic.entry.key');
    this.entryRows = container.starts('vpic.entry.rows');
    this.rowElement = container.u8('vpic.row.element');
    this.rowValue = container.u16('vpic.row.value');
    this.rowRank = new Uint16Array(this.rowElement.length);
    this.keyStart = container.starts('vpic.key.tokens');
    this.keyColumn = container.u8('vpic.key.column');
    this.keySet = container.u16('vpic.key.set');
    this.setWords = container.u32('vpic.set.words');
    this.engineStart = container.u32('vpic.engine.start');
    this.engineElement = container.u8('vpic.engine.element');
    this.engineValue = container.u16('vpic.engine.value');
    this.valueBase = container.u32('vpic.value.base');
    this.valueText = container.u32('vpic.value.text');
    this.modelMake = container.distinct('vpic.model.make');
    this.modelId = container.narrow('vpic.model.id');
    this.valueIdBase = container.u32('vpic.value.idBase');
    this.valueId = container.u32('vpic.value.id');
    this.bodyFlags = container.u8('vpic.body.flags');
    this.conversions = [0, 1, 2, 3, 4, 5].map((index) => container.u32(`vpic.conversion.${index}`));
    this.elementWeight = container.u8('vpic.element.weight');
    this.elementShown = container.u8('vpic.element.shown');
    this.elementName = container.u32('vpic.element.name');
    this.elementCode = container.u32('vpic.element.code');
    this.vehicleTypeText = container.u32('vpic.vehicleType.text');
    this.exceptions = container.u8('vpic.exception.vins');
    this.#container = container;
    this.#readSparse(container);
    this.#readFacts(container);
  }

  /** Returns NHTSA's specifications of models, made at the first call. */
  get vehicleSpecs(): VehicleSpecs {
    return (this.#vehicleSpecs ??= new VehicleSpecs(this.#container));
  }

  /** Returns the number of the WMI of this VIN, three characters or six; -1 when vPIC does not know it. */
  wmiOf(vin: string, codes: Uint8Array): number {
    return codes[2] === 9 && vin.length >= LONG_WMI_TO ? this.#wmis.ofLong(codes) : this.#wmis.ofShort(codes);
  }

  /** Returns the number of a WMI of three or six characters; -1 when vPIC does not know it. */
  wmiNumber(text: string): number {
    return this.#wmis.of(text);
  }

  /** Returns the text of an element's value. */
  text(element: number, value: number): string {
    return this.strings.get(this.valueText[(this.valueBase[element] ?? 0) + value] ?? 0);
  }

  /** Returns NHTSA's number of an element's value; undefined for an element without a lookup table. */
  valueIdOf(element: number, value: number): number | undefined {
    if (element === ELEMENT.model) return this.modelId[value];
    const at = (this.valueIdBase[element] ?? 0) + value;
    return at < (this.valueIdBase[element + 1] ?? 0) ? this.valueId[at] : undefined;
  }

  #readSparse(container: Container): void {
    const rowRanks = container.u16('vpic.rank.rank');
    const rankedRows = container.u32('vpic.rank.row');
    for (let index = 0; index < rankedRows.length; index++) {
      this.rowRank[rankedRows[index] as number] = rowRanks[index] as number;
    }
    const ranks = container.u16('vpic.engineRank.rank');
    for (const [index, row] of container.u32('vpic.engineRank.row').entries()) {
      this.engineRank.set(row, ranks[index] ?? 0);
    }
    const changed = container.f64('vpic.displacement.changed');
    for (const [index, row] of container.u32('vpic.displacement.row').entries()) {
      this.displacementChanged.set(row, changed[index] ?? 0);
    }
    const digits = container.u32('vpic.key.digits');
    for (let index = 0; index < digits.length; index += 3) {
      this.keyDigits.set(digits[index] ?? 0, { from: digits[index + 1] ?? 0, to: digits[index + 2] ?? 0 });
    }
  }

  #readFacts(container: Container): void {
    const element = container.u8('vpic.default.element');
    const text = container.u32('vpic.default.text');
    for (const [index, type] of container.u8('vpic.default.type').entries()) {
      const list = this.defaults.get(type) ?? [];
      list.push({ element: element[index] ?? 0, text: text[index] ?? 0 });
      this.defaults.set(type, list);
    }
    const weight = container.i32('vpic.error.weight');
    const errorText = container.u32('vpic.error.text');
    const more = container.u32('vpic.error.more');
    for (const [index, code] of container.u16('vpic.error.code').entries()) {
      this.errors.set(code, {
        weight: weight[index] ?? 0,
        text: this.strings.get(errorText[index] ?? 0).trim(),
        more: this.strings.get(more[index] ?? 0),
      });
    }
    const year = container.u16('vpic.descriptor.year');
    for (const [index, descriptor] of container.u32('vpic.descriptor.text').entries()) {
      const text = this.strings.get(descriptor);
      this.descriptors.set(text, year[index] ?? 0);
      this.descriptorWmis[Number.parseInt(text.slice(0, 3), CODES)] = 1;
    }
  }
}
