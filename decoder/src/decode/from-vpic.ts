import type { Strings } from '../catalog/strings.ts';
import { ELEMENT } from '../vpic-elements.ts';
import { ORIGIN, type Pass } from '../vpic/pass.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { keyLikeness } from '../vpic/trace.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { CleanTables } from './clean-tables.ts';
import type { Corrections } from './corrections.ts';
import { AMERICAN_COUNTRIES, ONE_COUNTRY, plantOf } from './plants.ts';
import { checkEngineCode, dropImpossibleEngine } from '../settle/engine-evidence.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import { BODY_STYLES } from '../report/report.ts';

const CC_PER_CUBIC_INCH = 16.387064;
const KW_PER_HP = 0.745699872;
const MM_PER_INCH = 25.4;
const KG_PER_LB = 0.45359237;

const VPIC = SOURCE.vpic;

/** Claims vPIC's winning values, in the words of people. */
export class VpicClaims {
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

  /** Claims the values of a pass, with its corrections. `codes`: the VIN's characters as numbers. */
  read(pass: Pass, ledger: Ledger, codes: Uint8Array): void {
    const { wmi } = pass;
    const trim = this.#text(pass, ELEMENT.trim, this.#clean.trim);
    ledger.claim(VPIC, F.modelYear, pass.year, BY.year);
    const type = this.#clean.vehicleType[this.#tables.wmiType[wmi] ?? 0] ?? 0;
    ledger.claim(VPIC, F.vehicleType, this.#strings.get(type), BY.wmi);
    this.#claimName(pass, ledger);
    this.#corrections.correctName(ledger, trim, codes);
    this.#claimTrim(pass, ledger, trim);
    this.#claimBody(pass, ledger, trim, codes);
    this.#claimEngine(pass, ledger);
    this.#claimRest(pass, ledger);
    this.#claimPlant(pass, ledger, codes);
    this.#corrections.correctValues(ledger, trim, codes);
  }

  /** Weighs each model that a key of the WMI's schemas names, by how many of the VIN's characters that key allows. */
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

  /** Returns the make of a WMI that has only one; empty otherwise. */
  makeOfWmi(pass: Pass): string {
    return this.#strings.get(this.#clean.wmiMake[pass.wmi] as number);
  }

  #claimName(pass: Pass, ledger: Ledger): void {
    const clean = this.#clean;
    let badge = '';
    let badgeRow = 0;
    if (this.#has(pass, ELEMENT.model)) {
      const model = pass.value[ELEMENT.model] as number;
      const row = pass.entry[ELEMENT.model] as number;
      ledger.claim(VPIC, F.make, this.#strings.get(clean.modelMake[model] as number), row);
      ledger.claim(VPIC, F.model, this.#strings.get(clean.modelName[model] as number), row);
      badge = this.#strings.get(clean.modelCode[model] as number);
      badgeRow = row;
    } else {
      ledger.claim(VPIC, F.make, this.makeOfWmi(pass), BY.wmi);
    }
    let modelCode = '';
    if (badge === '') {
      // A series is a works code, or the class of a truck: "1500".
      const series = this.#text(pass, ELEMENT.series, clean.series);
      badgeRow = pass.entry[ELEMENT.series] as number;
      if (series !== '' && /^\d{4}(?: |$)/.test(series)) badge = series;
      else modelCode = series;
    }
    ledger.claim(VPIC, F.modelCode, modelCode, pass.entry[ELEMENT.series] as number);
    if (badge === '' && modelCode === '') {
      badge = this.#text(pass, ELEMENT.trim, clean.badge);
      badgeRow = pass.entry[ELEMENT.trim] as number;
    }
    ledger.claim(VPIC, F.badge, badge, badgeRow);
  }

  #claimTrim(pass: Pass, ledger: Ledger, trim: string): void {
    const { model } = ledger.known;
    if (trim === '' || this.#isForeign(pass, model)) return;
    ledger.claim(VPIC, F.trim, withoutModel(model, trim), pass.entry[ELEMENT.trim] as number);
  }

  /** Returns true if the trim is of another model. */
  #isForeign(pass: Pass, model: string): boolean {
    const owner = this.#text(pass, ELEMENT.trim, this.#clean.trimOwner);
    return owner !== '' && owner !== model;
  }

  #claimBody(pass: Pass, ledger: Ledger, trim: string, codes: Uint8Array): void {
    if (!this.#has(pass, ELEMENT.body)) return;
    const { known } = ledger;
    const body = pass.value[ELEMENT.body] as number;
    const row = pass.entry[ELEMENT.body] as number;
    ledger.claim(VPIC, F.body, BODY_STYLES[this.#clean.bodyStyle[body] as number] ?? 'unknown', row);
    ledger.claim(VPIC, F.bodyLabel, this.#strings.get(this.#clean.bodyLabel[body] as number), row);
    this.#corrections.correctBody(ledger, trim, codes);
    const { details } = SOURCE;
    // NHTSA's class calls two-door cars with a boot sedans; people call them coupes.
    if (known.body === 'sedan' && this.#number(pass, ELEMENT.doors) === 2) {
      ledger.claim(details, F.body, 'coupe', BY.doors);
      ledger.claim(details, F.bodyLabel, 'Coupe', BY.doors);
    }
    if (known.body === 'hatchback') {
      const label = withDoors(known.bodyLabel, this.#number(pass, ELEMENT.doors));
      if (label !== known.bodyLabel) ledger.claim(details, F.bodyLabel, label, BY.doors);
    } else if (known.body === 'pickup') {
      const cab = this.#text(pass, ELEMENT.cab, this.#clean.cab);
      if (cab !== '') ledger.claim(details, F.bodyLabel, `${known.bodyLabel}, ${cab}`, BY.cab);
    }
  }

  #claimEngine(pass: Pass, ledger: Ledger): void {
    const clean = this.#clean;
    if (this.#has(pass, ELEMENT.fuel)) {
      ledger.claim(VPIC, F.fuelType, this.#strings.get(this.#fuel(pass)), pass.entry[ELEMENT.fuel] as number);
    }
    ledger.claim(VPIC, F.cylinders, this.#number(pass, ELEMENT.cylinders), pass.entry[ELEMENT.cylinders] as number);
    this.#claimDisplacement(pass, ledger);
    if (this.#has(pass, ELEMENT.configuration)) {
      const configuration = clean.configuration[pass.value[ELEMENT.configuration] as number] as number;
      ledger.claim(VPIC, F.configuration, configuration, pass.entry[ELEMENT.configuration] as number);
    }
    if (this.#has(pass, ELEMENT.turbo) && clean.turbo[pass.value[ELEMENT.turbo] as number] === 1) {
      ledger.claim(VPIC, F.turbo, true, pass.entry[ELEMENT.turbo] as number);
    }
    if (this.#has(pass, ELEMENT.engineModel)) {
      const engine = pass.value[ELEMENT.engineModel] as number;
      const row = pass.entry[ELEMENT.engineModel] as number;
      ledger.claim(VPIC, F.engineModel, this.#tables.text(ELEMENT.engineModel, engine), row);
      ledger.claim(VPIC, F.codeCylinders, clean.engineCylinders[engine] as number, row);
      checkEngineCode(ledger, clean.engineTenths[engine] as number);
    }
    dropImpossibleEngine(ledger);
    this.#claimPower(pass, ledger);
    const [from, to] = [this.#number(pass, ELEMENT.batteryKwh), this.#number(pass, ELEMENT.batteryKwhTo)];
    // A range of capacities is not one value.
    if (to === 0 || to === from) {
      ledger.claim(VPIC, F.batteryCapacityKwh, from, pass.entry[ELEMENT.batteryKwh] as number);
    }
  }

  #claimRest(pass: Pass, ledger: Ledger): void {
    const clean = this.#clean;
    ledger.claim(VPIC, F.driveType, this.#text(pass, ELEMENT.drive, clean.drive), pass.entry[ELEMENT.drive] as number);
    if (this.#has(pass, ELEMENT.transmission)) {
      const columns = clean.transmission.length / Math.max(1, this.#styles());
      const speeds = this.#has(pass, ELEMENT.speeds) ? (pass.value[ELEMENT.speeds] as number) + 1 : 0;
      const cell = (pass.value[ELEMENT.transmission] as number) * columns + speeds;
      const text = this.#strings.get(clean.transmission[cell] ?? 0);
      ledger.claim(VPIC, F.transmission, text, pass.entry[ELEMENT.transmission] as number);
    }
    const [short, long] = [this.#number(pass, ELEMENT.wheelbaseInches), this.#number(pass, ELEMENT.wheelbaseInchesTo)];
    if (long === 0 || long === short) {
      const row = pass.entry[ELEMENT.wheelbaseInches] as number;
      ledger.claim(VPIC, F.wheelbaseMm, Math.round(short * MM_PER_INCH), row);
    }
    const weight = Math.round(this.#number(pass, ELEMENT.curbWeightLb) * KG_PER_LB);
    ledger.claim(VPIC, F.curbWeightKg, weight, pass.entry[ELEMENT.curbWeightLb] as number);
  }

  /**
   * Claims city and country as the gazetteer has them: NHTSA's rows misspell cities, name works, and put cities into
   * other countries. A name of cities in several countries is that of the WMI's, else of the row's, and a country
   * without a city never contradicts the WMI. Trailers are built in towns that it lacks.
   */
  #claimPlant(pass: Pass, ledger: Ledger, codes: Uint8Array): void {
    const clean = this.#clean;
    let city = this.#text(pass, ELEMENT.city, clean.city);
    let country = this.#text(pass, ELEMENT.country, clean.country);
    const own = AMERICAN_COUNTRIES[codes[0] as number] ?? '';
    if (city === '' && own !== '' && country !== own) country = '';
    if (city !== '' && ledger.known.vehicleType !== 'Trailer') {
      const chosen = plantOf(clean, this.#strings, pass.value[ELEMENT.city] as number, [own, country]);
      if (chosen >= 0) {
        city = this.#strings.get(clean.plantCity[chosen] as number);
        country = this.#strings.get(clean.plantCountry[chosen] as number);
        const home = ONE_COUNTRY[codes[0] as number];
        // NHTSA's rows give a maker's letters for all works to each of its WMIs.
        if (home !== undefined && country !== home) return;
      }
    }
    const ofCity = pass.entry[ELEMENT.city] as number;
    ledger.claim(VPIC, F.plantCity, city, ofCity);
    ledger.claim(VPIC, F.plantCountry, country, city === '' ? (pass.entry[ELEMENT.country] as number) : ofCity);
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

  #claimDisplacement(pass: Pass, ledger: Ledger): void {
    const cc = this.#number(pass, ELEMENT.displacementCc);
    if (cc > 0) {
      ledger.claim(VPIC, F.displacementCc, Math.round(cc), pass.entry[ELEMENT.displacementCc] as number);
      return;
    }
    const liters = this.#number(pass, ELEMENT.displacementL);
    if (liters > 0) {
      ledger.claim(VPIC, F.displacementCc, Math.round(liters * 1000), pass.entry[ELEMENT.displacementL] as number);
      return;
    }
    const cubicInches = this.#number(pass, ELEMENT.displacementCi);
    const row = pass.entry[ELEMENT.displacementCi] as number;
    ledger.claim(VPIC, F.displacementCc, Math.round(cubicInches * CC_PER_CUBIC_INCH), row);
  }

  /**
   * Claims the power of the vehicle's own row. vPIC's engine models have one figure for an engine that was built with
   * several.
   */
  #claimPower(pass: Pass, ledger: Ledger): void {
    if (pass.origin[ELEMENT.powerHp] === ORIGIN.engineModel || pass.origin[ELEMENT.powerKw] === ORIGIN.engineModel)
      return;
    const kw = this.#number(pass, ELEMENT.powerKw);
    if (kw > 0) {
      ledger.claim(VPIC, F.powerKw, Math.round(kw), pass.entry[ELEMENT.powerKw] as number);
      return;
    }
    const [from, to] = [this.#number(pass, ELEMENT.powerHp), this.#number(pass, ELEMENT.powerHpTo)];
    if (to !== 0 && to !== from) return;
    ledger.claim(VPIC, F.powerKw, Math.round(from * KW_PER_HP), pass.entry[ELEMENT.powerHp] as number);
  }

  /** Returns true if the pass decides the element. Without a year all schemas applied, and only common values count. */
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

/**
 * Replaces the number of doors in a label. vPIC counts the tailgate or not, so 2 and 3, and 4 and 5 doors, are the same
 * car.
 */
function withDoors(label: string, doors: number): string {
  if (label.includes('-door')) return label;
  if (doors === 2 || doors === 3) return `${label}, 3-door`;
  return doors === 4 || doors === 5 ? `${label}, 5-door` : label;
}

/** Removes the model from a trim: "Macan S" of a Macan leaves "S"; a trim that only repeats the model is empty. */
function withoutModel(model: string, trim: string): string {
  if (trim === '' || model === '' || !trim.startsWith(model)) return trim;
  const rest = trim.slice(model.length);
  if (rest === '') return '';
  return /^[ :-]/.test(rest) ? rest.replace(/^[ :-]+/, '') : trim;
}
