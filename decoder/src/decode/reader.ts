import { ApprovalJoin } from '../approvals/join.ts';
import { ApprovalTables } from '../approvals/tables.ts';
import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { type Draft, emptyDraft } from '../report/draft.ts';
import { dropContradictedCode, dropImpossibleEngine } from '../settle/engine-evidence.ts';
import { engineLine } from '../report/engine-line.ts';
import { claimWords, fuelOfName } from '../settle/wording.ts';
import { SpecJoin } from '../specs/join.ts';
import { Findings, rowOfTable } from '../specs/findings.ts';
import { EngineCheck } from '../specs/engine-check.ts';
import type { SpecFieldRule } from '../report/fields.ts';
import { type SpecMarket, SpecTables } from '../specs/tables.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';
import { VpicDecoder } from '../vpic/decode.ts';
import type { VpicDecode } from '../vpic/outcome.ts';
import { ELEMENT } from '../vpic-elements.ts';
import { hasSingleMake } from '../vpic/compare.ts';
import { isHeavyTruck } from '../vpic/model-year.ts';
import type { Pass } from '../vpic/pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { YEAR_CYCLE } from '../vin/year-codes.ts';
import type { VpicScratch } from '../vpic/scratch.ts';
import { VpicTables } from '../vpic/tables.ts';
import { type WorldGuide, WorldReader } from '../world/reader.ts';
import type { Filling } from '../world/masked.ts';
import type { WorldReading } from '../world/reading.ts';
import { WorldTables } from '../world/tables.ts';
import { overlap } from '../world/years.ts';
import { WmiTables } from '../world/wmi-tables.ts';
import { bodyOfType } from './body-of-type.ts';
import { CleanTables } from './clean-tables.ts';
import { Corrections } from './corrections.ts';
import { claimDrive } from './drive.ts';
import { VpicReader } from './from-vpic.ts';
import { Positions } from './positions.ts';
import { WorldWriter } from './from-world.ts';
import { F, Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import type { Reading, Scratch } from './reading.ts';

/** First characters of the WMIs of China (ISO 3780). */
const LETTER_H = 72;
const LETTER_L = 76;

/** The number of illegal characters that shows that a VIN was not built for North America. */
const SEVERAL = 2;

/** The codes of machines (ISO 10261) have 17 characters too, and the first of them name no region. */
const MACHINE = 'Machine';

const NO_MASKS: readonly number[] = [];
const NO_CYCLE: Pick<VpicDecode, 'basis' | 'other'> = {};

/** The identity of a VIN while it is decoded. */
interface Identified {
  vin: string;
  codes: VinCodes;
  vpic: VpicDecode;
  world: WorldReading;
  year: number;
}

/** Reads VINs by all of a catalog: vPIC's tables, the world's facts, type approvals and specifications. */
export class VinReader {
  readonly vpic: VpicDecoder;
  readonly world: WorldTables;
  readonly specs: SpecJoin;
  readonly #strings: Strings;
  readonly positions: Positions;
  readonly corrections: Corrections;
  readonly #vpicReader: VpicReader;
  readonly #worldReader: WorldReader;
  readonly #worldWriter: WorldWriter;
  readonly #wmis: WmiTables;
  readonly approvals: ApprovalJoin;
  readonly registers: ApprovalJoin;
  readonly #engines: EngineCheck;
  readonly #found = new Findings();
  readonly #others = new Findings();
  /** The reading of the other year, where two remain. */
  readonly #second = new Ledger();

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    this.positions = new Positions(container);
    const vpic = new VpicTables(container, strings);
    this.vpic = new VpicDecoder(vpic);
    this.corrections = new Corrections(container, strings);
    this.#vpicReader = new VpicReader(vpic, new CleanTables(container), this.corrections, strings);
    this.world = new WorldTables(container);
    this.#wmis = new WmiTables(container, strings);
    this.#worldReader = new WorldReader(this.world, this.#wmis);
    this.#worldWriter = new WorldWriter(this.world, strings);
    const label = (body: number): string => strings.get(this.world.bodyLabel[body] as number);
    this.approvals = new ApprovalJoin(new ApprovalTables(container, strings), label);
    this.registers = new ApprovalJoin(new ApprovalTables(container, strings, 'registers'), label, 'ignored');
    this.specs = new SpecJoin(new SpecTables(container, strings));
    this.#engines = new EngineCheck(this.specs.tables, this.specs.variants);
  }

  /**
   * Reads the VIN whose codes are in the scratch, without the tables of specifications.
   *
   * @param year the current calendar year: model years are at most two years ahead of it.
   * @param guide facts beside the VIN.
   */
  read(vin: string, year: number, scratch: Scratch, guide?: WorldGuide): Reading {
    const { codes, ledger } = scratch;
    const world = this.#worldReader.read({
      vin,
      codes,
      latestYear: year + 1,
      scratch: scratch.world,
      guide,
      registeredYears: this.registers.years(this.registers.find(codes), codes),
    });
    const vpic = mayBeNorthAmerican(vin)
      ? this.vpic.settle(vin, codes, year, scratch.vpic, guide?.year)
      : this.vpic.identify(vin, codes, scratch.vpic);
    ledger.clear();
    const identified = { vin, codes, vpic, world, year };
    const either: Draft[] = [];
    const pass = this.#isNorthAmerican(identified) ? this.#readVpic(identified, ledger, either, scratch.vpic) : null;
    if (pass === null) {
      this.#readLayout(identified, ledger);
      this.approvals.fill(ledger, this.approvals.find(codes));
    }
    this.corrections.claimFamily(ledger);
    this.#claimBodyOfType(pass === null && world.profile >= 0, vpic.pass, ledger);
    claimDrive(ledger);
    const region = this.#strings.get(this.#wmis.region(codes.codes));
    const market = this.#claimMarket(vin, region, pass, world, ledger);
    if (ledger.known.vehicleType !== MACHINE) ledger.claim(SOURCE.form, F.region, region, BY.region);
    const { basis, other } = pass === null ? NO_CYCLE : vpic;
    return {
      vin,
      codes,
      region: ledger.known.region,
      ledger,
      draft: ledger.known,
      pass,
      basis,
      other,
      either,
      world,
      market,
    };
  }

  /** Claims the market that the VIN's form shows. @returns the market whose specifications apply. */
  #claimMarket(
    vin: string,
    region: string,
    pass: Pass | null,
    world: WorldReading,
    ledger: Ledger,
  ): SpecMarket | undefined {
    // If the layout has check digits in every market, a valid one does not imply North America.
    const isOfAnyMarket =
      pass !== null &&
      region !== 'North America' &&
      this.#worldWriter.model(world) !== '' &&
      this.#worldWriter.prescribesCheckDigit(world);
    // North America's makers put a year at position 10 of each of its cars.
    const hasYear = pass !== null && pass.year !== 0;
    const { known } = ledger;
    if (hasYear && !isOfAnyMarket && known.market === '' && known.model !== '') {
      ledger.claim(SOURCE.form, F.market, 'North America', BY.form);
    }
    return marketOf(hasYear && !(isOfAnyMarket && region === 'Europe'), region, vin);
  }

  /** Completes a reading from the tables of specifications, then from registers, and claims the words of its report. */
  complete(reading: Reading): void {
    const { ledger, market, codes } = reading;
    if (market !== undefined) this.#checkEngine(ledger, market, codes);
    this.#claimSpecs(reading);
    // Registers come last: they have what nothing else does.
    const masks = reading.pass === null ? this.registers.find(codes) : NO_MASKS;
    if (masks.length > 0) {
      this.registers.fill(ledger, masks);
      this.#boundYears(reading, masks);
    }
    dropContradictedCode(ledger);
    dropImpossibleEngine(ledger);
    const { make, model } = ledger.known;
    claimWords(
      ledger,
      () => this.specs.tables.bodiesOf(make, model),
      (of, trim) => this.corrections.trimName(of, trim),
    );
    ledger.put(SOURCE.wording, F.engineLine, engineLine(ledger.known), BY.line);
  }

  /** Claims the values of the market's lists. */
  #claimSpecs(reading: Reading): void {
    const { ledger, market = 'elsewhere', codes } = reading;
    const found = this.specs.answers(ledger.known, market, codes, this.#found);
    const dropped = this.#mayBeAmerican(reading, found) ? 'emissionsStandard' : '';
    for (let at = 0; at < found.count; at++) {
      const { field, number } = found.rules[at] as SpecFieldRule;
      if (field === dropped) continue;
      const row = rowOfTable(this.specs.tables, found.tables[at], found.variants[at] as number);
      ledger.claim(SOURCE.specs, number, found.values[at] as string | number, row);
    }
  }

  /**
   * Returns true if a car that Europe's lists give a standard may have been built for North America, which has others:
   * its check digit is right, and lists of North American cars have its family in that year.
   */
  #mayBeAmerican({ ledger, market, pass, vin, codes }: Reading, found: Findings): boolean {
    if (market !== 'europe' || pass !== null || !hasValidCheckDigit(vin)) return false;
    if (found.of('emissionsStandard') === undefined) return false;
    return this.specs.answers(ledger.known, 'north-america', codes, this.#others).count > 0;
  }

  /** Claims values of a list of all engines that contradict a registry's rows. */
  #checkEngine(ledger: Ledger, market: SpecMarket, codes: VinCodes): void {
    const { known } = ledger;
    const { engines, badges } = SOURCE;
    if (this.#engines.contradictsCylinders(known, market, codes)) {
      ledger.drop(engines, F.cylinders, BY.listed);
      ledger.drop(engines, F.configuration, BY.listed);
    }
    if (this.#engines.contradictsTurbo(known, market, codes)) ledger.drop(engines, F.turbo, BY.listed);
    const named = fuelOfName(known);
    if (named !== '') ledger.claim(badges, F.fuelType, named, BY.badge);
    else ledger.claim(engines, F.fuelType, this.#engines.fuelInstead(known, market, codes), BY.listedFuel);
  }

  /** Registers bound the years in which a vehicle may have been built; on conflict the VIN wins. */
  #boundYears({ world, codes }: Reading, masks: readonly number[]): void {
    const years = this.registers.years(masks, codes);
    if (years === undefined || !overlap(years.from, years.to, world.productionFrom, world.productionTo)) return;
    world.productionFrom = Math.max(world.productionFrom, years.from);
    world.productionTo = Math.min(world.productionTo, years.to);
  }

  /** Returns the characters behind a VIN's mask on which the world's facts depend; undefined: too many to compare. */
  fillingsOf(codes: VinCodes): readonly Filling[] | undefined {
    return this.#worldReader.fillingsOf(codes);
  }

  /**
   * Returns true if a masked VIN, whose codes are in the scratch, is of one make alone: NHTSA, if it knows the WMI,
   * else the world's facts name no other for it.
   */
  isOnlyMake(make: string, vin: string, year: number, { codes, vpic }: Scratch): boolean {
    const { pass } = this.vpic.settle(vin, codes, year, vpic);
    if (pass.wmi >= 0) return hasSingleMake(this.vpic.tables, pass.wmi) && this.#vpicReader.makeOfWmi(pass) === make;
    return !this.#worldReader.mayTellMake(codes, (told) => this.#strings.get(told) !== make);
  }

  /** Weighs the models that vPIC knows of a VIN's WMI and year by how many of the VIN's characters their keys name. */
  weighVpicModels(pass: Pass, codes: VinCodes, add: (model: string, weight: number) => void): void {
    this.#vpicReader.weighModels(pass, codes, add);
  }

  /** The facts file and the name of a layout: "volkswagen/row". */
  layoutName(profile: number): string {
    return this.#worldWriter.profileName(profile);
  }

  /** Describes the tables that decoded the VIN, in words. */
  describe({ pass, world }: Reading): string {
    const layout = world.profile < 0 ? '' : this.#worldWriter.profileName(world.profile);
    if (pass !== null) return layout === '' ? 'vPIC' : `vPIC, complemented by ${layout}`;
    return layout === '' ? 'WMI only' : layout;
  }

  /** NHTSA's tables first; the maker's layout complements them. */
  #readVpic(identified: Identified, ledger: Ledger, either: Draft[], scratch: VpicScratch): Pass {
    const { vin, vpic, world, codes } = identified;
    let { pass } = vpic;
    this.#vpicReader.read(pass, ledger, codes.codes);
    if (vpic.other !== undefined) either.push(...this.#keepShared(ledger, pass, vpic.other, codes.codes));
    if (vpic.contested === true) this.#leaveYearOpen(pass, ledger);
    if (ledger.known.model === '' && vpic.conclusive && !hasValidCheckDigit(vin)) {
      pass = this.#readOtherCycle(identified, ledger, scratch);
    }
    if (world.profile >= 0) this.#worldWriter.complement(world, ledger);
    if (ledger.known.make === '') this.#claimUndisputed(identified, either, ledger);
    return pass;
  }

  /**
   * Of a VIN that may be of two years keeps the values that both readings have; where one of them has none, the make and the type
   * alone.
   *
   * @returns the values of each reading.
   */
  #keepShared(ledger: Ledger, pass: Pass, other: Pass, codes: Uint8Array): Draft[] {
    const first = { ...ledger.known };
    const second = this.#second;
    second.clear();
    this.#vpicReader.read(other, second, codes);
    if (other.matched === 0) this.#leaveYearOpen(pass, ledger);
    else ledger.keepShared(second.known, SOURCE.cycle, BY.bothYears);
    return [first, second.known];
  }

  /** Drops the values that depend on an undecided year. */
  #leaveYearOpen(pass: Pass, ledger: Ledger): void {
    ledger.keepShared({ ...emptyDraft(), vehicleType: ledger.known.vehicleType }, SOURCE.cycle, BY.bothYears);
    ledger.claim(SOURCE.vpic, F.make, this.#vpicReader.makeOfWmi(pass), BY.wmi);
  }

  /** Decodes a mistyped VIN whose cycle position 7 misleads: the other cycle's values apply, the year is left open. */
  #readOtherCycle({ vpic, codes, year }: Identified, ledger: Ledger, scratch: VpicScratch): Pass {
    const pass = this.vpic.otherCycle(vpic, codes, year, scratch);
    ledger.keepShared(emptyDraft(), SOURCE.cycle, BY.bothYears);
    if (!pass.has(ELEMENT.model)) {
      ledger.claim(SOURCE.vpic, F.make, this.#vpicReader.makeOfWmi(vpic.pass), BY.wmi);
      return vpic.pass;
    }
    this.#vpicReader.read(pass, ledger, codes.codes);
    ledger.drop(SOURCE.cycle, F.modelYear, BY.bothYears);
    return pass;
  }

  #readLayout(identified: Identified, ledger: Ledger): void {
    if (identified.world.profile >= 0) this.#worldWriter.write(identified.world, ledger);
    if (ledger.known.make === '') this.#claimWmi(identified, ledger);
  }

  /**
   * Returns true if the VIN is in North American form: NHTSA's tables explain it, and either it comes from North
   * America or its check digit is right. The same WMIs build for the rest of the world, where positions have other
   * meanings.
   */
  #isNorthAmerican({ vin, codes, vpic, world }: Identified): boolean {
    const { pass } = vpic;
    if (pass.wmi < 0 || pass.matched === 0) return false;
    const first = vin.charCodeAt(0);
    const northAmerican = isOfNorthAmerica(first);
    if (pass.year === 0) return northAmerican && world.profile < 0 && pass.has(ELEMENT.model);
    if (northAmerican) return world.profile < 0 || pass.has(ELEMENT.model) || this.#worldWriter.model(world) === '';
    if (!pass.has(ELEMENT.model) || !hasValidCheckDigit(vin)) return false;
    // Position 7 gives the cycle of a North American VIN only: a model of the other cycle shows that this is not one.
    const isOfOtherCycle = Math.abs(world.modelYear - pass.year) === YEAR_CYCLE;
    const hasModel = this.#worldWriter.model(world) !== '';
    if (isOfOtherCycle && hasModel) return false;
    // A check digit is right by chance in one VIN of eleven, and in every Chinese one: characters that NHTSA's keys
    // rule out show that the VIN was not built for North America. Its keys are incomplete, so elsewhere one alone is
    // not enough.
    const chinese = first === LETTER_L || first === LETTER_H;
    if (!chinese && !hasModel && !isOfOtherCycle) return true;
    return this.vpic.illegalCount(codes, vpic) < (chinese ? 1 : SEVERAL);
  }

  /** Motorcycles, trailers, buses and heavy trucks: the vehicle type implies the body. */
  #claimBodyOfType(fromLayout: boolean, pass: Pass, ledger: Ledger): void {
    const { body, possibleBodies, vehicleType, bodyLabel } = ledger.known;
    if (body !== 'unknown' || possibleBodies.length > 0) return;
    const isHeavy = fromLayout || isHeavyTruck(this.vpic.tables.wmiTruck[pass.wmi] ?? 0);
    const implied = bodyOfType(vehicleType, isHeavy);
    if (implied === undefined) return;
    ledger.claim(SOURCE.type, F.body, implied, BY.usualBody);
    if (bodyLabel === '') ledger.claim(SOURCE.type, F.bodyLabel, vehicleType, BY.usualBody);
  }

  /** Claims the make of the WMI's record, unless the reading of one of two years names another. */
  #claimUndisputed(identified: Identified, either: readonly Draft[], ledger: Ledger): void {
    const make = this.#makeOfRecord(identified.codes.codes);
    if (either.every((draft) => draft.make === '' || draft.make === make))
      ledger.claim(SOURCE.wmi, F.make, make, BY.wmi);
  }

  /** Returns the make of the WMI's record; empty if it has none or several. */
  #makeOfRecord(codes: Uint8Array): string {
    const long = this.#wmis.findLong(codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes);
    return wmi < 0 ? '' : this.#strings.get(this.#wmis.make[wmi] as number);
  }

  /** Claims the values of the WMI's record. */
  #claimWmi({ codes, vpic }: Identified, ledger: Ledger): void {
    const { known } = ledger;
    const long = this.#wmis.findLong(codes.codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes.codes);
    const shared = wmi >= 0 && this.#wmis.isShared(wmi);
    const claim = (field: number, text: string): void => ledger.claim(SOURCE.wmi, field, text, BY.wmi);
    if (wmi >= 0) {
      // If rows name a model but disagree on the make, the WMI's main make is not certain.
      if (!shared || known.model === '') claim(F.make, this.#strings.get(this.#wmis.make[wmi] as number));
      if (known.vehicleType === '') claim(F.vehicleType, this.#strings.get(this.#wmis.vehicleType[wmi] as number));
    }
    if (known.make === '' && !shared && vpic.pass.wmi >= 0) claim(F.make, this.#vpicReader.makeOfWmi(vpic.pass));
  }
}

/** Returns true if a WMI with this first character is of North America (ISO 3780). */
function isOfNorthAmerica(first: number): boolean {
  return first >= 49 && first <= 53;
}

/**
 * Returns true if a VIN comes from North America or has the check digit that each VIN there has; no other is in its
 * form.
 */
function mayBeNorthAmerican(vin: string): boolean {
  return isOfNorthAmerica(vin.charCodeAt(0)) || hasValidCheckDigit(vin);
}

/** Japan, Korea and Turkey: their cars with a VIN of the world's form are built as for Europe. Japan's own cars have none. */
const EXPORTER = /^(?:J|K[L-R]|N[LM])/;

function marketOf(isNorthAmerican: boolean, region: string, vin: string): SpecMarket | undefined {
  if (isNorthAmerican) return 'north-america';
  return region === 'Europe' || EXPORTER.test(vin) ? 'europe' : undefined;
}
