import { ApprovalJoin } from '../approvals/join.ts';
import { ApprovalTables } from '../approvals/tables.ts';
import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import type { Draft } from '../report/draft.ts';
import { dropContradictedCode, dropImpossibleEngine } from '../settle/engine-evidence.ts';
import { engineLine } from '../report/engine-line.ts';
import { type NameRules, readNameRules } from '../settle/name-rules.ts';
import { claimWords } from '../settle/wording.ts';
import { SpecJoin } from '../specs/join.ts';
import type { SpecMarket } from '../specs/table.ts';
import { SpecTables } from '../specs/tables.ts';
import { VpicDecoder } from '../vpic/decode.ts';
import type { VpicDecode } from '../vpic/outcome.ts';
import { hasSingleMake } from '../vpic/compare.ts';
import { isHeavyTruck } from '../vpic/model-year.ts';
import type { Pass } from '../vpic/pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
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
import { SpecClaims } from './from-specs.ts';
import { VpicClaims } from './from-vpic.ts';
import { WmiClaims } from './from-wmi.ts';
import { marketOf, mayBeNorthAmerican } from './market.ts';
import { type Identified, NorthAmericanReader } from './north-america.ts';
import { Positions } from './positions.ts';
import { LayoutClaims, MACHINE } from './from-world.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import type { Reading, Scratch } from './reading.ts';

const NO_MASKS: readonly number[] = [];
const NO_CYCLE: Pick<VpicDecode, 'basis' | 'other'> = {};

/** Reads VINs by all of a catalog: vPIC's tables, the world's facts, type approvals and specifications. */
export class VinReader {
  readonly vpic: VpicDecoder;
  readonly world: WorldTables;
  readonly specs: SpecJoin;
  readonly #strings: Strings;
  readonly positions: Positions;
  readonly corrections: Corrections;
  readonly #nameRules: NameRules;
  readonly #vpicClaims: VpicClaims;
  readonly #worldReader: WorldReader;
  readonly #layoutClaims: LayoutClaims;
  readonly #wmis: WmiTables;
  readonly approvals: ApprovalJoin;
  readonly registers: ApprovalJoin;
  readonly #northAmerica: NorthAmericanReader;
  readonly #wmiClaims: WmiClaims;
  readonly #specClaims: SpecClaims;

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    this.positions = new Positions(container);
    const vpic = new VpicTables(container, strings);
    this.vpic = new VpicDecoder(vpic);
    this.corrections = new Corrections(container, strings);
    this.#nameRules = readNameRules(container, strings);
    this.#vpicClaims = new VpicClaims(vpic, new CleanTables(container), this.corrections, strings);
    this.world = new WorldTables(container);
    this.#wmis = new WmiTables(container, strings);
    this.#worldReader = new WorldReader(this.world, this.#wmis);
    this.#layoutClaims = new LayoutClaims(this.world, strings);
    const label = (body: number): string => strings.get(this.world.bodyLabel[body] as number);
    this.approvals = new ApprovalJoin(new ApprovalTables(container, strings), label);
    this.registers = new ApprovalJoin(new ApprovalTables(container, strings, 'registers'), label, 'ignored');
    this.specs = new SpecJoin(new SpecTables(container, strings));
    this.#specClaims = new SpecClaims(this.specs, this.#nameRules);
    this.#wmiClaims = new WmiClaims(this.#wmis, this.#vpicClaims, strings);
    this.#northAmerica = new NorthAmericanReader(this.vpic, this.#vpicClaims, this.#layoutClaims, this.#wmiClaims);
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
    const vpic = mayBeNorthAmerican(vin, this.#layoutClaims.model(world) !== '')
      ? this.vpic.settle(vin, codes, year, scratch.vpic, guide?.year)
      : this.vpic.identify(vin, codes, scratch.vpic);
    ledger.clear();
    const identified = { vin, codes, vpic, world, year };
    const either: Draft[] = [];
    const pass = this.#northAmerica.isRead(identified)
      ? this.#northAmerica.read(identified, ledger, either, scratch.vpic)
      : null;
    if (pass === null) {
      this.#readLayout(identified, ledger);
      this.approvals.fill(ledger, this.approvals.find(codes));
    }
    this.corrections.claimFamily(ledger);
    this.#claimBodyOfType(pass === null && world.layout >= 0, vpic.pass, ledger);
    claimDrive(ledger, this.specs.tables.driveNames);
    const region = this.#strings.get(this.#wmis.region(codes.codes));
    const market = this.#claimMarket(vin, region, pass, world, ledger);
    // The codes of machines (ISO 10261) name no region.
    if (ledger.known.vehicleType !== MACHINE && !this.#wmis.isOfOtherRegion(codes.codes)) {
      ledger.claim(SOURCE.form, F.region, region, BY.region);
    }
    const { basis, other } = pass === null ? NO_CYCLE : vpic;
    return {
      vin,
      currentYear: year,
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
      this.#layoutClaims.model(world) !== '' &&
      this.#layoutClaims.prescribesCheckDigit(world);
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
    const { ledger, codes } = reading;
    this.#specClaims.claim(reading);
    // Registers come last: they have what nothing else does.
    const masks = reading.pass === null ? this.registers.find(codes) : NO_MASKS;
    if (masks.length > 0) {
      this.registers.fill(ledger, masks);
      this.#boundYears(reading, masks);
    }
    dropContradictedCode(ledger);
    dropImpossibleEngine(ledger);
    const { make, model } = ledger.known;
    claimWords(ledger, {
      familyBodies: () => this.specs.tables.bodiesOf(make, model),
      trimName: (of, trim) => this.corrections.trimName(of, trim),
      rules: this.#nameRules,
      driveNames: this.specs.tables.driveNames,
    });
    ledger.put(SOURCE.wording, F.engineLine, engineLine(ledger.known), BY.line);
  }

  /** Bounds the years of a vehicle by registers; on conflict the VIN wins. */
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
    if (pass.wmi >= 0) return hasSingleMake(this.vpic.tables, pass.wmi) && this.#vpicClaims.makeOfWmi(pass) === make;
    return !this.#worldReader.mayTellMake(codes, (told) => this.#strings.get(told) !== make);
  }

  /** Returns the makes that share the WMI of a VIN, where none of them is the main one; empty elsewhere. */
  sharedMakes({ codes }: VinCodes): readonly string[] {
    return this.#wmiClaims.sharedMakes(codes);
  }

  /** Weighs the models that vPIC knows of a VIN's WMI and year by how many of the VIN's characters their keys name. */
  weighVpicModels(pass: Pass, codes: VinCodes, add: (model: string, weight: number) => void): void {
    this.#vpicClaims.weighModels(pass, codes, add);
  }

  /** Returns the folder and the name of a layout: "volkswagen/row". */
  layoutName(layout: number): string {
    return this.#layoutClaims.layoutName(layout);
  }

  /** Describes the tables that decoded the VIN, in words. */
  describe({ pass, world }: Reading): string {
    const layout = world.layout < 0 ? '' : this.#layoutClaims.layoutName(world.layout);
    if (pass !== null) return layout === '' ? 'vPIC' : `vPIC, complemented by ${layout}`;
    return layout === '' ? 'WMI only' : layout;
  }

  #readLayout(identified: Identified, ledger: Ledger): void {
    if (identified.world.layout >= 0) this.#layoutClaims.write(identified.world, ledger);
    if (ledger.known.make === '') this.#wmiClaims.claim(identified.codes.codes, identified.vpic.pass, ledger);
  }

  /** Claims the body of motorcycles, trailers, buses and heavy trucks, which the vehicle type implies. */
  #claimBodyOfType(fromLayout: boolean, pass: Pass, ledger: Ledger): void {
    const { body, possibleBodies, vehicleType, bodyLabel } = ledger.known;
    if (body !== 'unknown' || possibleBodies.length > 0) return;
    const isHeavy = fromLayout || isHeavyTruck(this.vpic.tables.wmiTruck[pass.wmi] ?? 0);
    const implied = bodyOfType(vehicleType, isHeavy);
    if (implied === undefined) return;
    ledger.claim(SOURCE.type, F.body, implied, BY.usualBody);
    if (bodyLabel === '') ledger.claim(SOURCE.type, F.bodyLabel, vehicleType, BY.usualBody);
  }
}
