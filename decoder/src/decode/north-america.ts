import { type Draft, emptyDraft } from '../report/draft.ts';
import { F, Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { YEAR_CYCLE } from '../vin/year-codes.ts';
import type { VpicDecoder } from '../vpic/decode.ts';
import { ELEMENT } from '../vpic-elements.ts';
import type { VpicDecode } from '../vpic/outcome.ts';
import { isHeavyTruck } from '../vpic/model-year.ts';
import type { Pass } from '../vpic/pass.ts';
import type { VpicScratch } from '../vpic/scratch.ts';
import type { WorldReading } from '../world/reading.ts';
import type { VpicClaims } from './from-vpic.ts';
import type { WmiClaims } from './from-wmi.ts';
import type { LayoutClaims } from './from-world.ts';
import { isOfNorthAmerica } from './market.ts';

/** First characters of the WMIs of China (ISO 3780). */
const LETTER_H = 72;
const LETTER_L = 76;

/** The number of illegal characters that shows that a VIN was not built for North America. */
const SEVERAL = 2;

/** The identity of a VIN while it is decoded. */
export interface Identified {
  vin: string;
  codes: VinCodes;
  vpic: VpicDecode;
  world: WorldReading;
  year: number;
}

/** Reads VINs in North American form, by NHTSA's tables. */
export class NorthAmericanReader {
  readonly #decoder: VpicDecoder;
  readonly #vpic: VpicClaims;
  readonly #layouts: LayoutClaims;
  readonly #wmis: WmiClaims;
  /** The reading of the other year, where two remain. */
  readonly #second = new Ledger();

  constructor(decoder: VpicDecoder, vpic: VpicClaims, layouts: LayoutClaims, wmis: WmiClaims) {
    this.#decoder = decoder;
    this.#vpic = vpic;
    this.#layouts = layouts;
    this.#wmis = wmis;
  }

  /**
   * Returns true if the VIN is in North American form: NHTSA's tables explain it, and it comes from North America, its
   * check digit is right, or nothing but the check digit is wrong. The same WMIs build for the rest of the world, where
   * positions have other meanings.
   */
  isRead({ vin, codes, vpic, world }: Identified): boolean {
    const { pass } = vpic;
    if (pass.wmi < 0 || pass.matched === 0 || this.#layouts.isMachine(vin, world)) return false;
    const first = vin.charCodeAt(0);
    const northAmerican = isOfNorthAmerica(first);
    if (pass.year === 0) return northAmerican && world.layout < 0 && pass.has(ELEMENT.model);
    if (northAmerican) return world.layout < 0 || pass.has(ELEMENT.model) || this.#layouts.model(world) === '';
    if (!pass.has(ELEMENT.model) || this.#decoder.isOutdated(pass)) return false;
    // Position 7 gives the cycle of a North American VIN only: a model of the other cycle shows that this is not one.
    const isOfOtherCycle = Math.abs(world.modelYear - pass.year) === YEAR_CYCLE;
    const hasModel = this.#layouts.model(world) !== '';
    if (isOfOtherCycle && hasModel) return false;
    // A check digit is right by chance in one VIN of eleven, and in every Chinese one: characters that NHTSA's keys
    // rule out show that the VIN was not built for North America. Its keys are incomplete, so elsewhere one alone is
    // not enough.
    const chinese = first === LETTER_L || first === LETTER_H;
    const isRight = hasValidCheckDigit(vin);
    // One position names the model of a heavy truck in most of NHTSA's keys: that alone says nothing.
    if (!isRight && isHeavyTruck(this.#decoder.tables.wmiTruck[pass.wmi] ?? 0)) return false;
    if (isRight && !chinese && !hasModel && !isOfOtherCycle) return true;
    return this.#decoder.illegalCount(codes, vpic) < (isRight && !chinese ? SEVERAL : 1);
  }

  /** Reads NHTSA's tables, then complements them by the maker's layout. */
  read(identified: Identified, ledger: Ledger, either: Draft[], scratch: VpicScratch): Pass {
    const { vin, vpic, world, codes } = identified;
    let { pass } = vpic;
    this.#vpic.read(pass, ledger, codes.codes);
    if (vpic.other !== undefined) either.push(...this.#keepShared(ledger, pass, vpic.other, codes.codes));
    if (vpic.contested === true) this.#leaveYearOpen(pass, ledger);
    if (ledger.known.model === '' && vpic.conclusive && !hasValidCheckDigit(vin)) {
      pass = this.#readOtherCycle(identified, ledger, scratch);
    }
    const isUnnamed = ledger.known.model === '' && either.length === 0 && pass.has(ELEMENT.model);
    if (world.layout >= 0) this.#layouts.complement(world, ledger, isUnnamed && vpic.contested !== true);
    if (ledger.known.make === '') this.#wmis.claimUndisputed(codes.codes, either, ledger);
    return pass;
  }

  /**
   * Keeps, for a VIN of two possible years, the values that both readings have; if one of them has none, only make and
   * type.
   *
   * @returns the values of each reading.
   */
  #keepShared(ledger: Ledger, pass: Pass, other: Pass, codes: Uint8Array): Draft[] {
    const first = { ...ledger.known };
    const second = this.#second;
    second.clear();
    this.#vpic.read(other, second, codes);
    if (other.matched === 0) this.#leaveYearOpen(pass, ledger);
    else ledger.keepShared(second.known, SOURCE.cycle, BY.bothYears);
    return [first, second.known];
  }

  /** Drops the values that depend on an undecided year. */
  #leaveYearOpen(pass: Pass, ledger: Ledger): void {
    ledger.keepShared({ ...emptyDraft(), vehicleType: ledger.known.vehicleType }, SOURCE.cycle, BY.bothYears);
    ledger.claim(SOURCE.vpic, F.make, this.#vpic.makeOfWmi(pass), BY.wmi);
  }

  /** Decodes a mistyped VIN whose cycle position 7 misleads: the other cycle's values apply, the year is left open. */
  #readOtherCycle({ vpic, codes, year }: Identified, ledger: Ledger, scratch: VpicScratch): Pass {
    const pass = this.#decoder.otherCycle(vpic, codes, year, scratch);
    ledger.keepShared(emptyDraft(), SOURCE.cycle, BY.bothYears);
    if (!pass.has(ELEMENT.model)) {
      ledger.claim(SOURCE.vpic, F.make, this.#vpic.makeOfWmi(vpic.pass), BY.wmi);
      return vpic.pass;
    }
    this.#vpic.read(pass, ledger, codes.codes);
    ledger.drop(SOURCE.cycle, F.modelYear, BY.bothYears);
    return pass;
  }
}
