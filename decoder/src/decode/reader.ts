import { type ApprovalAnswer, ApprovalJoin } from '../approvals/join.ts';
import { ApprovalTables } from '../approvals/tables.ts';
import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { type Draft, emptyDraft, keepShared } from '../report/draft.ts';
import { dropContradictedCode, dropImpossibleEngine } from '../report/engine-evidence.ts';
import { engineLine } from '../report/engine-line.ts';
import { fuelOfName, tidy } from '../report/tidy.ts';
import { type SpecAnswer, SpecJoin, writeAnswers } from '../specs/join.ts';
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
import { settleDrive } from './drive.ts';
import { VpicReader } from './from-vpic.ts';
import { WorldWriter } from './from-world.ts';
import type { Reading, Scratch } from './reading.ts';

/** First characters of the WMIs of China (ISO 3780). */
const LETTER_H = 72;
const LETTER_L = 76;

/** Illegal characters that tell a VIN not built for North America. */
const SEVERAL = 2;

const NO_APPROVALS: readonly ApprovalAnswer[] = [];
const NO_MASKS: readonly number[] = [];
const NO_CYCLE: Pick<VpicDecode, 'basis' | 'other'> = {};

/** What identifies a VIN while it is read. */
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
  readonly #corrections: Corrections;
  readonly #vpicReader: VpicReader;
  readonly #worldReader: WorldReader;
  readonly #worldWriter: WorldWriter;
  readonly #wmis: WmiTables;
  readonly #approvals: ApprovalJoin;
  readonly #registers: ApprovalJoin;

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    const vpic = new VpicTables(container, strings);
    this.vpic = new VpicDecoder(vpic);
    this.#corrections = new Corrections(container, strings);
    this.#vpicReader = new VpicReader(vpic, new CleanTables(container), this.#corrections, strings);
    this.world = new WorldTables(container);
    this.#wmis = new WmiTables(container, strings);
    this.#worldReader = new WorldReader(this.world, this.#wmis);
    this.#worldWriter = new WorldWriter(this.world, strings);
    const label = (body: number): string => strings.get(this.world.bodyLabel[body] as number);
    this.#approvals = new ApprovalJoin(new ApprovalTables(container, strings), label);
    this.#registers = new ApprovalJoin(new ApprovalTables(container, strings, 'registers'), label, 'ignored');
    this.specs = new SpecJoin(new SpecTables(container, strings));
  }

  /**
   * Reads the VIN whose codes the scratch holds, without the tables of specifications.
   *
   * @param year the current calendar year: model years lie at most two years ahead of it.
   * @param guide what is known beside the VIN.
   */
  read(vin: string, year: number, scratch: Scratch, guide?: WorldGuide): Reading {
    const { codes } = scratch;
    const world = this.#worldReader.read({
      vin,
      codes,
      latestYear: year + 1,
      scratch: scratch.world,
      guide,
      registeredYears: () => this.#registers.years(this.#registers.find(codes), codes),
    });
    const vpic = this.vpic.settle(vin, codes, year, scratch.vpic, guide?.year);
    const draft = emptyDraft();
    const identified = { vin, codes, vpic, world, year };
    const either: Draft[] = [];
    const pass = this.#isNorthAmerican(identified) ? this.#readVpic(identified, draft, either, scratch.vpic) : null;
    if (pass === null) this.#readWorld(identified, draft);
    const fromApprovals = pass === null ? this.#approvals.fill(draft, this.#approvals.find(codes)) : NO_APPROVALS;
    this.#corrections.seeFamily(draft);
    this.#settleBodyByType(pass === null && world.profile >= 0, vpic.pass, draft);
    settleDrive(draft);
    const region = this.#strings.get(this.#wmis.region(codes.codes));
    // Where every car has a check digit, wherever it is sold, a right one tells no market.
    const isOfAnyMarket =
      pass !== null &&
      region !== 'North America' &&
      this.#worldWriter.model(world) !== '' &&
      this.#worldWriter.prescribesCheckDigit(world);
    // North America's makers put a year at position 10 of each of its cars.
    const hasYear = pass !== null && pass.year !== 0;
    const isOfNorthAmerica = hasYear && !isOfAnyMarket;
    if (isOfNorthAmerica && draft.market === '' && draft.model !== '') draft.market = 'North America';
    const market = marketOf(hasYear && !(isOfAnyMarket && region === 'Europe'), region, vin);
    const { basis, other } = pass === null ? NO_CYCLE : vpic;
    return { vin, codes, region, draft, pass, basis, other, either, world, market, fromApprovals };
  }

  /** Fills a reading's draft from the tables of specifications, then from registers; gives what the former wrote. */
  complete(reading: Reading): readonly SpecAnswer[] {
    const { draft, market, codes } = reading;
    if (market !== undefined) this.#mendEngine(draft, market, codes);
    const found = this.specs.answers(draft, market ?? 'elsewhere', codes);
    const answers = this.#mayBeAmerican(reading, found)
      ? found.filter(({ field }) => field !== 'emissionsStandard')
      : found;
    writeAnswers(answers, draft);
    // Registers come last: they tell what nothing else does.
    const masks = reading.pass === null ? this.#registers.find(codes) : NO_MASKS;
    if (masks.length > 0) {
      reading.fromApprovals = [...reading.fromApprovals, ...this.#registers.fill(draft, masks)];
      this.#boundYears(reading, masks);
    }
    dropContradictedCode(draft);
    dropImpossibleEngine(draft);
    tidy(draft, this.specs.bodiesOf(draft));
    draft.trim = this.#corrections.trimName(draft.make, draft.trim);
    draft.engineLine = engineLine(draft);
    return answers;
  }

  /**
   * Whether a car that Europe's lists give a standard may have been built for North America, which has others: its check digit is
   * right, and lists of North American cars have its family in that year.
   */
  #mayBeAmerican({ draft, market, pass, vin, codes }: Reading, found: readonly SpecAnswer[]): boolean {
    if (market !== 'europe' || pass !== null || !hasValidCheckDigit(vin)) return false;
    if (!found.some(({ field }) => field === 'emissionsStandard')) return false;
    return this.specs.answers(draft, 'north-america', codes).length > 0;
  }

  /** What a list of all variants has otherwise than the registry's rows. */
  #mendEngine(draft: Draft, market: SpecMarket, codes: VinCodes): void {
    if (this.specs.contradictsCylinders(draft, market, codes)) {
      draft.cylinders = 0;
      draft.configuration = 0;
    }
    if (this.specs.contradictsTurbo(draft, market, codes)) draft.turbo = false;
    draft.fuelType = fuelOfName(draft) || this.specs.fuelInstead(draft, market, codes) || draft.fuelType;
  }

  /** Registers bound the years in which a vehicle may have been built; where they contradict what the VIN says, that holds. */
  #boundYears({ world, codes }: Reading, masks: readonly number[]): void {
    const years = this.#registers.years(masks, codes);
    if (years === undefined || !overlap(years.from, years.to, world.productionFrom, world.productionTo)) return;
    world.productionFrom = Math.max(world.productionFrom, years.from);
    world.productionTo = Math.min(world.productionTo, years.to);
  }

  /** The characters behind a VIN's mask on which the world's facts depend; undefined: more than can be compared. */
  fillingsOf(codes: VinCodes): readonly Filling[] | undefined {
    return this.#worldReader.fillingsOf(codes);
  }

  /**
   * Whether a masked VIN, whose codes the scratch holds, is of one make alone: NHTSA, where it knows the WMI, else the world's
   * facts name no other for it.
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

  /** Which reading of the VIN counted, in words. */
  describe({ pass, world }: Reading): string {
    const layout = world.profile < 0 ? '' : this.#worldWriter.profileName(world.profile);
    if (pass !== null) return layout === '' ? 'vPIC' : `vPIC, complemented by ${layout}`;
    return layout === '' ? 'WMI only' : layout;
  }

  /** NHTSA's tables first; the world's facts complement them. */
  #readVpic(identified: Identified, draft: Draft, either: Draft[], scratch: VpicScratch): Pass {
    const { vin, vpic, world } = identified;
    let { pass } = vpic;
    this.#vpicReader.read(pass, draft, identified.codes.codes);
    if (vpic.other !== undefined)
      either.push(...this.#keepWhatBothSay(draft, pass, vpic.other, identified.codes.codes));
    if (vpic.contested === true) this.#leaveYearOpen(pass, draft);
    if (draft.model === '' && vpic.conclusive && !hasValidCheckDigit(vin)) {
      pass = this.#readOtherCycle(identified, draft, scratch);
    }
    if (world.profile >= 0) this.#worldWriter.complement(world, draft);
    return pass;
  }

  /**
   * Of a VIN that may be of two years holds what both readings say; where one of them says nothing, the make and the type alone.
   *
   * @returns what each reading says.
   */
  #keepWhatBothSay(draft: Draft, pass: Pass, other: Pass, codes: Uint8Array): Draft[] {
    const [first, second] = [{ ...draft }, emptyDraft()];
    this.#vpicReader.read(other, second, codes);
    if (other.matched === 0) this.#leaveYearOpen(pass, draft);
    else keepShared(draft, second);
    return [first, second];
  }

  /** What depends on a year that nothing settles is left out. */
  #leaveYearOpen(pass: Pass, draft: Draft): void {
    const { vehicleType } = draft;
    Object.assign(draft, emptyDraft(), { make: this.#vpicReader.makeOfWmi(pass), vehicleType });
  }

  /** A mistyped VIN whose cycle position 7 misleads: what the other cycle explains holds, the year is left open. */
  #readOtherCycle({ vpic, codes, year }: Identified, draft: Draft, scratch: VpicScratch): Pass {
    const pass = this.vpic.otherCycle(vpic, codes, year, scratch);
    Object.assign(draft, emptyDraft());
    if (!pass.has(ELEMENT.model)) {
      draft.make = this.#vpicReader.makeOfWmi(vpic.pass);
      return vpic.pass;
    }
    this.#vpicReader.read(pass, draft, codes.codes);
    draft.modelYear = 0;
    return pass;
  }

  #readWorld(identified: Identified, draft: Draft): void {
    if (identified.world.profile >= 0) this.#worldWriter.write(identified.world, draft);
    if (draft.make === '') this.#readWmi(identified, draft);
  }

  /**
   * Whether the VIN is in North American form: NHTSA's tables explain it, and either it comes from North America or
   * its check digit is right. The same WMIs build for the rest of the world, where positions mean other things.
   */
  #isNorthAmerican({ vin, codes, vpic, world }: Identified): boolean {
    const { pass } = vpic;
    if (pass.wmi < 0 || pass.matched === 0) return false;
    const first = vin.charCodeAt(0);
    const northAmerican = first >= 49 && first <= 53;
    if (pass.year === 0) return northAmerican && world.profile < 0 && pass.has(ELEMENT.model);
    if (northAmerican) return world.profile < 0 || pass.has(ELEMENT.model) || this.#worldWriter.model(world) === '';
    if (!pass.has(ELEMENT.model) || !hasValidCheckDigit(vin)) return false;
    // Position 7 tells the cycle of a North American VIN only: a model of the other cycle shows that this is none.
    const isOfOtherCycle = Math.abs(world.modelYear - pass.year) === YEAR_CYCLE;
    const hasModel = this.#worldWriter.model(world) !== '';
    if (isOfOtherCycle && hasModel) return false;
    // A check digit is right by chance in one VIN of eleven, and in every Chinese one: characters that NHTSA's keys rule
    // out tell a VIN that was not built for North America. Its keys are not complete, so elsewhere one alone tells nothing.
    const chinese = first === LETTER_L || first === LETTER_H;
    if (!chinese && !hasModel && !isOfOtherCycle) return true;
    return this.vpic.illegalCount(codes, vpic) < (chinese ? 1 : SEVERAL);
  }

  /** Motorcycles, trailers, buses and heavy trucks: the vehicle type implies the body. */
  #settleBodyByType(fromLayout: boolean, pass: Pass, draft: Draft): void {
    if (draft.body !== 'unknown' || draft.possibleBodies.length > 0) return;
    const isHeavy = fromLayout || isHeavyTruck(this.vpic.tables.wmiTruck[pass.wmi] ?? 0);
    const body = bodyOfType(draft.vehicleType, isHeavy);
    if (body === undefined) return;
    draft.body = body;
    if (draft.bodyLabel === '') draft.bodyLabel = draft.vehicleType;
  }

  /** What the WMI alone tells. */
  #readWmi({ codes, vpic }: Identified, draft: Draft): void {
    const long = this.#wmis.findLong(codes.codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes.codes);
    const shared = wmi >= 0 && this.#wmis.isShared(wmi);
    if (wmi >= 0) {
      // Rows that tell a model and disagree on the make show that it is not the main one for certain.
      if (!shared || draft.model === '') draft.make = this.#strings.get(this.#wmis.make[wmi] as number);
      if (draft.vehicleType === '') draft.vehicleType = this.#strings.get(this.#wmis.vehicleType[wmi] as number);
    }
    if (draft.make === '' && !shared && vpic.pass.wmi >= 0) draft.make = this.#vpicReader.makeOfWmi(vpic.pass);
  }
}

/** Japan, Korea and Turkey: their cars with a VIN of the world's form are built as for Europe. Japan's own cars have none. */
const EXPORTER = /^(?:J|K[L-R]|N[LM])/;

function marketOf(isNorthAmerican: boolean, region: string, vin: string): SpecMarket | undefined {
  if (isNorthAmerican) return 'north-america';
  return region === 'Europe' || EXPORTER.test(vin) ? 'europe' : undefined;
}
