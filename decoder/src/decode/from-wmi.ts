import type { Strings } from '../catalog/strings.ts';
import type { Draft } from '../report/draft.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import type { Pass } from '../vpic/pass.ts';
import type { WmiTables } from '../world/wmi-tables.ts';
import type { VpicClaims } from './from-vpic.ts';

const NO_MAKES: readonly string[] = [];

/** Claims what the WMI alone says of a vehicle. */
export class WmiClaims {
  readonly #wmis: WmiTables;
  readonly #vpic: VpicClaims;
  readonly #strings: Strings;

  constructor(wmis: WmiTables, vpic: VpicClaims, strings: Strings) {
    this.#wmis = wmis;
    this.#vpic = vpic;
    this.#strings = strings;
  }

  /** Claims the make of the WMI's record, unless the reading of one of two years names another. */
  claimUndisputed(codes: Uint8Array, either: readonly Draft[], ledger: Ledger): void {
    const make = this.#makeOfRecord(codes);
    if (either.every((draft) => draft.make === '' || draft.make === make))
      ledger.claim(SOURCE.wmi, F.make, make, BY.wmi);
  }

  /** Returns the make of the WMI's record; empty if it has none or several. */
  #makeOfRecord(codes: Uint8Array): string {
    const long = this.#wmis.findLong(codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes);
    return wmi < 0 ? '' : this.#strings.get(this.#wmis.make[wmi] as number);
  }

  /** Returns the makes that share the WMI of a VIN, where none of them is the main one; empty elsewhere. */
  sharedMakes(codes: Uint8Array): readonly string[] {
    const long = this.#wmis.findLong(codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes);
    const makes = wmi < 0 ? '' : this.#strings.get(this.#wmis.makes[wmi] as number);
    return makes === '' ? NO_MAKES : makes.split(' / ');
  }

  /** Claims the values of the WMI's record. */
  claim(codes: Uint8Array, pass: Pass, ledger: Ledger): void {
    const { known } = ledger;
    const long = this.#wmis.findLong(codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes);
    const shared = wmi >= 0 && this.#wmis.isShared(wmi);
    const claim = (field: number, text: string): void => ledger.claim(SOURCE.wmi, field, text, BY.wmi);
    if (wmi >= 0) {
      // If rows name a model but disagree on the make, the WMI's main make is not certain.
      if (!shared || known.model === '') claim(F.make, this.#strings.get(this.#wmis.make[wmi] as number));
      if (known.vehicleType === '') claim(F.vehicleType, this.#strings.get(this.#wmis.vehicleType[wmi] as number));
    }
    if (known.make === '' && !shared && pass.wmi >= 0) claim(F.make, this.#vpic.makeOfWmi(pass));
  }
}
