import type { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { suggest, suggestInSteps, type Suggestion } from '../repair/suggest.ts';
import { withMaskEvidence } from '../masks/evidence.ts';
import { type MaskAnswer, MaskJoin } from '../masks/join.ts';
import { MaskTables } from '../masks/tables.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';
import { withSpecEvidence } from '../specs/evidence.ts';
import { SpecJoin } from '../specs/join.ts';
import { RememberedSpecs } from '../specs/remembered.ts';
import { type SpecMarket, SpecTables } from '../specs/tables.ts';
import { CODE_OF } from '../vpic/characters.ts';
import { type VpicDecode, VpicDecoder } from '../vpic/decode.ts';
import { isHeavyTruck } from '../vpic/model-year.ts';
import { encodeVin, type Pass, VinCodes } from '../vpic/pass.ts';
import { VpicFacts } from '../vpic/facts.ts';
import { ELEMENT, VpicTables } from '../vpic/tables.ts';
import { type VpicRow, vpicView } from '../vpic/view.ts';
import { WorldReader } from '../world/reader.ts';
import { WorldTables } from '../world/tables.ts';
import { bodyOfType } from './body-of-type.ts';
import { CleanTables } from './clean-tables.ts';
import type { CatalogInfo, CatalogSource, Decoder } from './decoder.ts';
import { Draft } from './draft.ts';
import { Explainer } from './explain.ts';
import type { Explanation } from './explanation.ts';
import { VpicReader } from './from-vpic.ts';
import { WorldWriter } from './from-world.ts';
import type { VehicleReport } from './report.ts';
import { WmiTables } from './wmi-tables.ts';
import { writeReport } from './write-report.ts';

/** First characters of the WMIs of China (ISO 3780). */
const LETTER_H = 72;
const LETTER_L = 76;

/** Illegal characters that tell a VIN not built for North America. */
const SEVERAL = 2;

const WELL_FORMED = /^[A-HJ-NPR-Z0-9]{17}$/;

/** What NHTSA's decoder judges rather than refuses: letters that no VIN has, the beginning of a VIN, gaps. */
const ASKED = /^[A-Z0-9*]{3,17}$/;

/** The decoder over an opened catalog. */
export class MarqueDecoder implements Decoder {
  readonly info: CatalogInfo;
  readonly vpicFacts: VpicFacts;
  readonly #strings: Strings;
  readonly #vpic: VpicDecoder;
  readonly #vpicReader: VpicReader;
  readonly #world: WorldReader;
  readonly #worldWriter: WorldWriter;
  readonly #wmis: WmiTables;
  readonly #masks: MaskJoin;
  readonly #specs: RememberedSpecs;
  readonly #draft = new Draft();
  readonly #codes = new VinCodes();
  readonly #currentYear: () => number;
  #vin = '';
  #pass: Pass | null = null;
  #fromVpic = false;
  #fromMasks: readonly MaskAnswer[] = [];
  readonly #explainer: Explainer;
  readonly #hasCheckDigit = (): boolean => hasValidCheckDigit(this.#vin);

  constructor(container: Container, bytes: number, currentYear: () => number) {
    this.info = infoOf(container, bytes);
    this.#strings = new Strings(container);
    const vpic = new VpicTables(container, this.#strings);
    const world = new WorldTables(container);
    this.#vpic = new VpicDecoder(vpic);
    this.vpicFacts = new VpicFacts(container, vpic, this.#strings);
    this.#currentYear = currentYear;
    this.#vpicReader = new VpicReader(vpic, new CleanTables(container), this.#strings);
    this.#world = new WorldReader(world);
    this.#worldWriter = new WorldWriter(world, this.#strings);
    this.#wmis = new WmiTables(container, this.#strings);
    this.#explainer = new Explainer(vpic, world, this.#strings);
    const label = (body: number): string => this.#strings.get(world.bodyLabel[body] as number);
    this.#masks = new MaskJoin(new MaskTables(container, this.#strings), label);
    this.#specs = new RememberedSpecs(new SpecJoin(new SpecTables(container, this.#strings)));
  }

  decode(vin: string): VehicleReport {
    if (!WELL_FORMED.test(vin)) throw new RangeError('decode takes a well-formed VIN; readVin makes one of a text.');
    this.#vin = vin;
    encodeVin(vin, CODE_OF, this.#codes);
    const draft = this.#draft;
    draft.clear();
    const year = this.#currentYear();
    this.#readWorld(year + 1);
    const vpic = this.#vpic.decode(vin, this.#codes, year, true);
    this.#merge(vpic, draft);
    this.#fromMasks = this.#fromVpic ? [] : this.#masks.fill(draft, this.#codes.codes);
    this.#settleBodyByType(vpic, draft);
    const region = this.#strings.get(this.#wmis.region(this.#codes.codes));
    this.#specs.fill(draft, marketOf(this.#fromVpic, region), this.#codes.codes);
    return writeReport(vin, region, draft);
  }

  #readWorld(latestYear: number): void {
    const { codes } = this.#codes;
    this.#world.begin(latestYear);
    this.#tryWmi(this.#wmis.findLong(this.#vin, codes), true);
    this.#tryWmi(this.#wmis.findShort(codes), false);
  }

  #tryWmi(wmi: number, long: boolean): void {
    if (wmi < 0) return;
    const { profiles, profileStart } = this.#wmis;
    const [start, end] = [profileStart[wmi] as number, profileStart[wmi + 1] as number];
    this.#world.tryProfiles(profiles, start, end, long, this.#codes.codes, this.#hasCheckDigit);
  }

  /** Which reading counts, and what the other adds. */
  #merge(vpic: VpicDecode, draft: Draft): void {
    const reading = this.#world.reading;
    this.#pass = vpic.pass;
    this.#fromVpic = this.#readsAsNorthAmerican(vpic);
    if (this.#fromVpic) {
      this.#vpicReader.read(vpic.pass, draft);
      if (draft.model === '' && vpic.conclusive && !this.#hasCheckDigit()) this.#tryOtherCycle(vpic, draft);
      if (reading.profile >= 0) this.#worldWriter.complement(reading, draft);
      if (draft.market === '' && draft.model !== '') draft.market = 'North America';
      return;
    }
    if (reading.profile >= 0) this.#worldWriter.write(reading, draft);
    if (draft.make === '') this.#readWmi(vpic, draft);
  }

  /** A mistyped VIN whose cycle position 7 misleads: what the other cycle explains holds, the year is left open. */
  #tryOtherCycle(vpic: VpicDecode, draft: Draft): void {
    const pass = this.#vpic.otherCycle(vpic, this.#currentYear());
    draft.clear();
    if (!pass.has(ELEMENT.model)) {
      draft.make = this.#vpicReader.makeOfWmi(vpic.pass);
      return;
    }
    this.#pass = pass;
    this.#vpicReader.read(pass, draft);
    draft.modelYear = 0;
  }

  /**
   * Whether the VIN is in North American form: NHTSA's tables explain it, and either it comes from North America or
   * its check digit is right. The same WMIs build for the rest of the world, where positions mean other things.
   */
  #readsAsNorthAmerican(decode: VpicDecode): boolean {
    const { pass } = decode;
    if (pass.wmi < 0 || pass.matched === 0) return false;
    const first = this.#vin.charCodeAt(0);
    const northAmerican = first >= 49 && first <= 53;
    const reading = this.#world.reading;
    if (pass.year === 0) return northAmerican && reading.profile < 0 && pass.has(ELEMENT.model);
    if (northAmerican) return reading.profile < 0 || pass.has(ELEMENT.model) || this.#worldWriter.model(reading) === '';
    if (!pass.has(ELEMENT.model) || !this.#hasCheckDigit()) return false;
    // A check digit is right by chance in one VIN of eleven, and in every Chinese one: characters that NHTSA's keys rule
    // out tell a VIN that was not built for North America. Its keys are not complete, so elsewhere one alone tells nothing.
    const chinese = first === LETTER_L || first === LETTER_H;
    if (!chinese && this.#worldWriter.model(reading) === '') return true;
    return this.#vpic.illegalCount(this.#codes, decode) < (chinese ? 1 : SEVERAL);
  }

  /** Motorcycles, trailers, buses and heavy trucks: what the vehicle is tells its body. */
  #settleBodyByType({ pass }: VpicDecode, draft: Draft): void {
    if (draft.body !== 'unknown' || draft.possibleBodies.length > 0) return;
    const fromLayout = !this.#fromVpic && this.#world.reading.profile >= 0;
    const isHeavy = fromLayout || isHeavyTruck(this.#vpic.tables.wmiTruck[pass.wmi] ?? 0);
    const body = bodyOfType(draft.vehicleType, isHeavy);
    if (body === undefined) return;
    draft.body = body;
    if (draft.bodyLabel === '') draft.bodyLabel = draft.vehicleType;
  }

  /** What the WMI alone says. */
  #readWmi(vpic: VpicDecode, draft: Draft): void {
    const { codes } = this.#codes;
    const long = this.#wmis.findLong(this.#vin, codes);
    const wmi = long >= 0 ? long : this.#wmis.findShort(codes);
    if (wmi >= 0) {
      draft.make = this.#strings.get(this.#wmis.make[wmi] as number);
      if (draft.vehicleType === '') draft.vehicleType = this.#strings.get(this.#wmis.vehicleType[wmi] as number);
    }
    if (draft.make === '' && vpic.pass.wmi >= 0) draft.make = this.#vpicReader.makeOfWmi(vpic.pass);
  }

  vpic(vin: string, modelYear?: number): VpicRow[] {
    if (!ASKED.test(vin)) throw new RangeError('vpic takes 3 to 17 letters, digits and asterisks, in upper case.');
    encodeVin(vin, CODE_OF, this.#codes);
    return vpicView(this.#vpic, { vin, codes: this.#codes, modelYear }, this.#currentYear());
  }

  suggest(text: string): Suggestion[] {
    return suggest(this, text);
  }

  suggestInSteps(text: string): Generator<undefined, Suggestion[], undefined> {
    return suggestInSteps(this, text);
  }

  explain(vin: string): Explanation {
    const report = this.decode(vin);
    const { reading } = this.#world;
    const pass = this.#fromVpic ? this.#pass : null;
    const heard = this.#explainer.explain(report, this.#codes, pass, reading);
    const fields = withMaskEvidence(withSpecEvidence(heard, this.#specs.filled), this.#fromMasks);
    return { report, fields, reading: this.#describeReading(reading.profile) };
  }

  #describeReading(profile: number): string {
    const layout = profile < 0 ? '' : this.#worldWriter.profileName(profile);
    if (this.#fromVpic) return layout === '' ? 'vPIC' : `vPIC, complemented by ${layout}`;
    return layout === '' ? 'WMI only' : layout;
  }
}

/** Which market's specifications hold: cars of one name differ between markets in engines, bumpers and weights. */
function marketOf(isNorthAmerican: boolean, region: string): SpecMarket | undefined {
  if (isNorthAmerican) return 'north-america';
  return region === 'Europe' ? 'europe' : undefined;
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
    maskRows: Number(meta['maskRows'] ?? 0),
    sources: JSON.parse(String(meta['sources'] ?? '[]')) as CatalogSource[],
  };
}
