import type { Strings } from '../catalog/strings.ts';
import { ELEMENT } from '../vpic-elements.ts';
import { ORIGIN, type Pass } from '../vpic/pass.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { keyLikeness } from '../vpic/trace.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { CleanTables } from './clean-tables.ts';
import type { Corrections } from './corrections.ts';
import { dropImpossibleEngine, settleEngine } from '../report/engine-evidence.ts';
import type { Draft } from '../report/draft.ts';
import { BODY_STYLES } from '../report/report.ts';

const CC_PER_CUBIC_INCH = 16.387064;
const KW_PER_HP = 0.745699872;
const MM_PER_INCH = 25.4;
const KG_PER_LB = 0.45359237;

/** The country of a WMI's first digit (ISO 3780). */
const AMERICAN_COUNTRIES: readonly string[] = [
  '',
  'United States',
  'Canada',
  'Mexico',
  'United States',
  'United States',
  '',
  'United States',
];

/** The first characters of WMIs whose cars come from one country (19 is J). Those of the United States are given to other countries' cars too. */
const ONE_COUNTRY: Readonly<Record<number, string>> = { 2: 'Canada', 3: 'Mexico', 19: 'Japan' };

/** Writes vPIC's winning values into the draft, in the words of people. */
export class VpicReader {
  readonly #tables: VpicTables;
  readonly #clean: CleanTables;
  readonly #corrections: Corrections;
  readonly #strings: Strings;

  constructor(tables: VpicTables, clean: CleanTables, corrections: Corrections, strings: Strings) {
    this.#corrections = corrections;
    this.#tables = tables;
    this.#clean = clean;
    this.#strings = strings;
  }

  /** `codes`: the VIN's characters as numbers. */
  read(pass: Pass, draft: Draft, codes: Uint8Array): void {
    const { wmi } = pass;
    draft.modelYear = pass.year;
    draft.vehicleType = this.#strings.get(this.#clean.vehicleType[this.#tables.wmiType[wmi] ?? 0] ?? 0);
    this.#readName(pass, draft, codes);
    this.#readBody(pass, draft, codes);
    this.#readEngine(pass, draft);
    this.#readRest(pass, draft);
    this.#readPlant(pass, draft, codes);
    this.#corrections.mend(draft, this.#text(pass, ELEMENT.trim, this.#clean.trim), codes);
  }

  /** Each model that a key of the WMI's schemas names, weighed by how many of the VIN's characters that key allows. */
  weighModels({ wmi, year }: Pass, vin: VinCodes, add: (model: string, weight: number) => void): void {
    if (wmi < 0) return;
    const { wmiLinks, linkFrom, linkTo, linkSchema, schemaEntries, entryKey, entryRows, rowElement, rowValue } =
      this.#tables;
    for (let link = wmiLinks[wmi] ?? 0; link < (wmiLinks[wmi + 1] ?? 0); link++) {
      if (year !== 0 && (year < (linkFrom[link] ?? 0) || year > (linkTo[link] ?? 0))) continue;
      const schema = linkSchema[link] ?? 0;
      for (let entry = schemaEntries[schema] ?? 0; entry < (schemaEntries[schema + 1] ?? 0); entry++) {
        for (let row = entryRows[entry] ?? 0; row < (entryRows[entry + 1] ?? 0); row++) {
          if (rowElement[row] !== ELEMENT.model) continue;
          const name = this.#strings.get(this.#clean.modelName[rowValue[row] ?? 0] ?? 0);
          add(name, 1 + keyLikeness(this.#tables, entryKey[entry] ?? 0, vin));
        }
      }
    }
  }

  /** The make of a WMI that has only one; empty otherwise. */
  makeOfWmi(pass: Pass): string {
    return this.#strings.get(this.#clean.wmiMake[pass.wmi] as number);
  }

  #readName(pass: Pass, draft: Draft, codes: Uint8Array): void {
    const clean = this.#clean;
    if (this.#has(pass, ELEMENT.model)) {
      const model = pass.value[ELEMENT.model] as number;
      draft.make = this.#strings.get(clean.modelMake[model] as number);
      draft.model = this.#strings.get(clean.modelName[model] as number);
      draft.badge = this.#strings.get(clean.modelCode[model] as number);
    } else {
      draft.make = this.makeOfWmi(pass);
    }
    if (draft.badge === '') this.#readSeries(this.#text(pass, ELEMENT.series, clean.series), draft);
    if (draft.badge === '' && draft.modelCode === '') draft.badge = this.#text(pass, ELEMENT.trim, clean.badge);
    const trim = this.#text(pass, ELEMENT.trim, clean.trim);
    this.#corrections.rename(draft, trim, codes);
    if (this.#isForeign(pass, draft.model)) return;
    draft.trim = withoutModel(draft.model, trim);
  }

  /** A series is a works code, or the class of a truck: "1500". */
  #readSeries(series: string, draft: Draft): void {
    if (/^\d{4}(?: |$)/.test(series)) draft.badge = series;
    else draft.modelCode = series;
  }

  /** Whether the trim is of another model. */
  #isForeign(pass: Pass, model: string): boolean {
    const owner = this.#text(pass, ELEMENT.trim, this.#clean.trimOwner);
    return owner !== '' && owner !== model;
  }

  #readBody(pass: Pass, draft: Draft, codes: Uint8Array): void {
    if (!this.#has(pass, ELEMENT.body)) return;
    const body = pass.value[ELEMENT.body] as number;
    draft.body = BODY_STYLES[this.#clean.bodyStyle[body] as number] ?? 'unknown';
    draft.bodyLabel = this.#strings.get(this.#clean.bodyLabel[body] as number);
    this.#corrections.seeBody(draft, this.#text(pass, ELEMENT.trim, this.#clean.trim), codes);
    // NHTSA's class calls two-door cars with a boot sedans; people call them coupes.
    if (draft.body === 'sedan' && this.#number(pass, ELEMENT.doors) === 2) {
      draft.body = 'coupe';
      draft.bodyLabel = 'Coupe';
    }
    if (draft.body === 'hatchback') draft.bodyLabel = withDoors(draft.bodyLabel, this.#number(pass, ELEMENT.doors));
    if (draft.body === 'pickup') {
      const cab = this.#text(pass, ELEMENT.cab, this.#clean.cab);
      if (cab !== '') draft.bodyLabel += `, ${cab}`;
    }
  }

  #readEngine(pass: Pass, draft: Draft): void {
    const clean = this.#clean;
    if (this.#has(pass, ELEMENT.fuel)) draft.fuelType = this.#strings.get(this.#fuel(pass));
    draft.cylinders = this.#number(pass, ELEMENT.cylinders);
    draft.displacementCc = this.#displacement(pass);
    if (this.#has(pass, ELEMENT.configuration)) {
      draft.configuration = clean.configuration[pass.value[ELEMENT.configuration] as number] as number;
    }
    draft.turbo = this.#has(pass, ELEMENT.turbo) && clean.turbo[pass.value[ELEMENT.turbo] as number] === 1;
    if (this.#has(pass, ELEMENT.engineModel)) {
      const engine = pass.value[ELEMENT.engineModel] as number;
      draft.engineModel = this.#tables.text(ELEMENT.engineModel, engine);
      draft.codeCylinders = clean.engineCylinders[engine] as number;
      settleEngine(draft, clean.engineTenths[engine] as number);
    }
    dropImpossibleEngine(draft);
    draft.powerKw = this.#power(pass);
    const [from, to] = [this.#number(pass, ELEMENT.batteryKwh), this.#number(pass, ELEMENT.batteryKwhTo)];
    // A range of capacities does not settle one.
    draft.batteryCapacityKwh = to === 0 || to === from ? from : 0;
  }

  #readRest(pass: Pass, draft: Draft): void {
    const clean = this.#clean;
    draft.driveType = this.#text(pass, ELEMENT.drive, clean.drive);
    if (this.#has(pass, ELEMENT.transmission)) {
      const columns = clean.transmission.length / Math.max(1, this.#styles());
      const speeds = this.#has(pass, ELEMENT.speeds) ? (pass.value[ELEMENT.speeds] as number) + 1 : 0;
      const cell = (pass.value[ELEMENT.transmission] as number) * columns + speeds;
      draft.transmission = this.#strings.get(clean.transmission[cell] ?? 0);
    }
    const [short, long] = [this.#number(pass, ELEMENT.wheelbaseInches), this.#number(pass, ELEMENT.wheelbaseInchesTo)];
    if (long === 0 || long === short) draft.wheelbaseMm = Math.round(short * MM_PER_INCH);
    draft.curbWeightKg = Math.round(this.#number(pass, ELEMENT.curbWeightLb) * KG_PER_LB);
  }

  /**
   * City and country as the gazetteer has them: NHTSA's rows misspell cities, name works, and put cities into other countries. A
   * name of cities in several countries is that of the WMI's, else of the row's, and a country without a city never contradicts the WMI. Trailers are built in towns that it lacks.
   */
  #readPlant(pass: Pass, draft: Draft, codes: Uint8Array): void {
    const clean = this.#clean;
    draft.plantCity = this.#text(pass, ELEMENT.city, clean.city);
    draft.plantCountry = this.#text(pass, ELEMENT.country, clean.country);
    const own = AMERICAN_COUNTRIES[codes[0] as number] ?? '';
    if (draft.plantCity === '' && own !== '' && draft.plantCountry !== own) draft.plantCountry = '';
    if (draft.plantCity === '' || draft.vehicleType === 'Trailer') return;
    const city = pass.value[ELEMENT.city] as number;
    const start = clean.plantStart[city] as number;
    const end = clean.plantStart[city + 1] as number;
    if (start === end) return;
    const countries = Array.from(clean.plantCountry.subarray(start, end), (country) => this.#strings.get(country));
    let chosen = countries.length === 1 ? 0 : countries.indexOf(own);
    if (chosen < 0) chosen = countries.indexOf(draft.plantCountry);
    if (chosen < 0) return;
    draft.plantCity = this.#strings.get(clean.plantCity[start + chosen] as number);
    draft.plantCountry = countries[chosen] ?? '';
    const home = ONE_COUNTRY[codes[0] as number];
    if (home === undefined || draft.plantCountry === home) return;
    // NHTSA's rows give a maker's letters for all works to each of its WMIs.
    draft.plantCity = '';
    draft.plantCountry = '';
  }

  #styles(): number {
    const { valueBase } = this.#tables;
    return (valueBase[ELEMENT.transmission + 1] ?? 0) - (valueBase[ELEMENT.transmission] ?? 0);
  }

  #fuel(pass: Pass): number {
    const { fuel, fuelSize } = this.#clean;
    const second = this.#has(pass, ELEMENT.secondFuel) ? (pass.value[ELEMENT.secondFuel] as number) + 1 : 0;
    const level = this.#has(pass, ELEMENT.electrification) ? (pass.value[ELEMENT.electrification] as number) + 1 : 0;
    const primary = pass.value[ELEMENT.fuel] as number;
    return fuel[(primary * (fuelSize[0] as number) + second) * (fuelSize[1] as number) + level] as number;
  }

  #displacement(pass: Pass): number {
    const cc = this.#number(pass, ELEMENT.displacementCc);
    if (cc > 0) return Math.round(cc);
    const litres = this.#number(pass, ELEMENT.displacementL);
    if (litres > 0) return Math.round(litres * 1000);
    return Math.round(this.#number(pass, ELEMENT.displacementCi) * CC_PER_CUBIC_INCH);
  }

  /** Power of the vehicle's own row. vPIC's engine models have one figure for an engine that was built with several. */
  #power(pass: Pass): number {
    if (pass.origin[ELEMENT.powerHp] === ORIGIN.engineModel || pass.origin[ELEMENT.powerKw] === ORIGIN.engineModel)
      return 0;
    const kw = this.#number(pass, ELEMENT.powerKw);
    if (kw > 0) return Math.round(kw);
    const [from, to] = [this.#number(pass, ELEMENT.powerHp), this.#number(pass, ELEMENT.powerHpTo)];
    return to === 0 || to === from ? Math.round(from * KW_PER_HP) : 0;
  }

  /** Whether the pass settles the element. Without a year all schemas spoke, and only what they agree on counts. */
  #has(pass: Pass, element: number): boolean {
    return pass.origin[element] !== ORIGIN.none && (pass.year !== 0 || pass.split[element] === 0);
  }

  #text(pass: Pass, element: number, column: Uint32Array): string {
    return pass.origin[element] === ORIGIN.none
      ? ''
      : this.#strings.get(column[pass.value[element] as number] as number);
  }

  #number(pass: Pass, element: number): number {
    return !this.#has(pass, element) ? 0 : this.#clean.number(element, pass.value[element] as number);
  }
}

/** vPIC counts the tailgate or not, so 2 and 3, and 4 and 5 doors, are the same car. */
function withDoors(label: string, doors: number): string {
  if (label.includes('-door')) return label;
  if (doors === 2 || doors === 3) return `${label}, 3-door`;
  return doors === 4 || doors === 5 ? `${label}, 5-door` : label;
}

/** "Macan S" of a Macan leaves "S"; a trim that only repeats the model says nothing. */
function withoutModel(model: string, trim: string): string {
  if (trim === '' || model === '' || !trim.startsWith(model)) return trim;
  const rest = trim.slice(model.length);
  if (rest === '') return '';
  return /^[ :-]/.test(rest) ? rest.replace(/^[ :-]+/, '') : trim;
}
