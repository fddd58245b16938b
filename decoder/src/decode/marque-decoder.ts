import type { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { CODE_OF } from '../vpic/characters.ts';
import { VpicDecoder } from '../vpic/decode.ts';
import { encodeVin, VinCodes } from '../vpic/pass.ts';
import { VpicTables } from '../vpic/tables.ts';
import { type VpicRow, vpicView } from '../vpic/view.ts';
import { CleanTables } from './clean-tables.ts';
import type { CatalogInfo, Decoder } from './decoder.ts';
import { Draft } from './draft.ts';
import type { Explanation } from './explanation.ts';
import { VpicReader } from './from-vpic.ts';
import type { VehicleReport } from './report.ts';
import { WmiTables } from './wmi-tables.ts';
import { writeReport } from './write-report.ts';

const WELL_FORMED = /^[A-HJ-NPR-Z0-9]{17}$/;

/** The decoder over an opened catalog. */
export class MarqueDecoder implements Decoder {
  readonly info: CatalogInfo;
  readonly #strings: Strings;
  readonly #vpic: VpicDecoder;
  readonly #reader: VpicReader;
  readonly #wmis: WmiTables;
  readonly #draft = new Draft();
  readonly #codes = new VinCodes();

  constructor(container: Container, bytes: number, currentYear: () => number) {
    this.info = infoOf(container, bytes);
    this.#strings = new Strings(container);
    const tables = new VpicTables(container, this.#strings);
    this.#vpic = new VpicDecoder(tables, currentYear);
    this.#reader = new VpicReader(tables, new CleanTables(container), this.#strings);
    this.#wmis = new WmiTables(container, this.#strings);
  }

  decode(vin: string): VehicleReport {
    if (!WELL_FORMED.test(vin)) throw new RangeError('decode takes a well-formed VIN; readVin makes one of a text.');
    encodeVin(vin, CODE_OF, this.#codes);
    const draft = this.#draft;
    draft.clear();
    const decode = this.#vpic.decode(vin, true);
    if (decode.pass.wmi >= 0) this.#reader.read(decode.pass, draft);
    const region = this.#strings.get(this.#wmis.region(this.#codes.codes));
    return writeReport(vin, region, draft);
  }

  vpic(vin: string): VpicRow[] {
    return vpicView(this.#vpic, vin);
  }

  explain(vin: string): Explanation {
    return { report: this.decode(vin), fields: [], reading: '' };
  }
}

function infoOf(container: Container, bytes: number): CatalogInfo {
  const { meta } = container;
  return {
    hash: String(meta['hash'] ?? ''),
    formatVersion: Number(meta['formatVersion'] ?? 1),
    bytes,
    wmis: Number(meta['wmis'] ?? 0),
    vpicSchemas: Number(meta['vpicSchemas'] ?? 0),
    vpicRows: Number(meta['vpicRows'] ?? 0),
    worldProfiles: Number(meta['worldProfiles'] ?? 0),
    worldRows: Number(meta['worldRows'] ?? 0),
  };
}
