import type { Strings } from '../catalog/strings.ts';
import { CHECK_DIGIT_RULES, TENTHS } from '../report/world-fields.ts';
import { FIELD, type WorldReading } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import type { Draft } from '../report/draft.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import { BODY_STYLES } from '../report/report.ts';
import { isOfNorthAmerica } from './market.ts';

/** Fields that are texts both in the world's facts and in a draft. */
const TEXTS = [
  'make',
  'model',
  'modelCode',
  'generation',
  'trim',
  'vehicleType',
  'fuelType',
  'engine',
  'driveType',
  'transmission',
  'emissionsStandard',
  'market',
  'plantCity',
  'plantCountry',
] as const;

const NUMBERS = ['cylinders', 'displacementCc', 'powerKw'] as const;

/** Texts of both, with the numbers of the field in either. */
const TEXT_FIELDS = TEXTS.map((name) => ({ name, field: FIELD[name], to: F[name] }));
const NUMBER_FIELDS = NUMBERS.map((name) => ({ field: FIELD[name], to: F[name] }));

/** The type of vehicles whose numbers follow ISO 10261: 17 characters like a VIN. */
export const MACHINE = 'Machine';

/** Matches the character at position 9 of a machine. A check digit is 0 to 9 or X. */
const CHECK_LETTER = /[A-WYZ]/;

/** Matches generations that share a code: the model year decides between them. */
const SEVERAL = /\//;

/**
 * A works code of a generation, finer than the table of generations by model year: "F07" of the 5 Series. A number is
 * not.
 */
const CODE = /^[^/]*\d[^/]*$/;

/** Texts that describe the same car under any reading: a North American one lacks them where vPIC does. */
const COMPLEMENTS = ['modelCode', 'generation', 'fuelType', 'driveType', 'plantCity'] as const;

const { layout: LAYOUT } = SOURCE;

/** Claims the values decided by the facts of a layout. */
export class LayoutClaims {
  readonly #tables: WorldTables;
  readonly #strings: Strings;

  constructor(tables: WorldTables, strings: Strings) {
    this.#tables = tables;
    this.#strings = strings;
  }

  /** Claims all of a reading. */
  write(reading: WorldReading, ledger: Ledger): void {
    for (const { name, field, to } of TEXT_FIELDS) {
      const text = this.#text(reading, field);
      if (text === '' || (name === 'generation' && SEVERAL.test(text))) continue;
      ledger.claim(LAYOUT, to, text, rowOf(reading, field));
    }
    for (const { field, to } of NUMBER_FIELDS) {
      if (reading.has(field)) ledger.claim(LAYOUT, to, reading.value[field] as number, rowOf(reading, field));
    }
    ledger.claim(LAYOUT, F.engineModel, this.#text(reading, FIELD.engineCode), rowOf(reading, FIELD.engineCode));
    if (reading.has(FIELD.batteryCapacityKwh)) {
      const value = (reading.value[FIELD.batteryCapacityKwh] as number) / TENTHS;
      ledger.claim(LAYOUT, F.batteryCapacityKwh, value, rowOf(reading, FIELD.batteryCapacityKwh));
    }
    const isOfRow = reading.has(FIELD.modelYear) && reading.value[FIELD.modelYear] === reading.modelYear;
    ledger.claim(LAYOUT, F.modelYear, reading.modelYear, isOfRow ? rowOf(reading, FIELD.modelYear) : BY.year);
    this.#claimBody(reading, ledger);
  }

  /**
   * Fills what another reading left open, where both read the same make and model: generation and codes that
   * NHTSA's tables do not have.
   *
   * @param unnamed true if the other reading's model is a class of models, such as "Closed Course Competition": the
   *   layout names the model.
   */
  complement(reading: WorldReading, ledger: Ledger, unnamed: boolean): void {
    const { known } = ledger;
    const model = this.#text(reading, FIELD.model);
    if (this.#text(reading, FIELD.make) !== known.make) return;
    if (unnamed && model !== '') ledger.claim(LAYOUT, F.model, model, rowOf(reading, FIELD.model));
    if (known.model === '' || model !== known.model) return;
    for (const name of COMPLEMENTS) {
      if (known[name] !== '') continue;
      const text = this.#text(reading, FIELD[name]);
      if (name === 'generation' && !CODE.test(text)) continue;
      if (name === 'plantCity' && !this.#agreesOnCountry(reading, known)) continue;
      ledger.claim(LAYOUT, F[name], text, rowOf(reading, FIELD[name]));
    }
    if (known.plantCountry === '') {
      const country = this.#text(reading, FIELD.plantCountry);
      ledger.claim(LAYOUT, F.plantCountry, country, rowOf(reading, FIELD.plantCountry));
    }
    if (known.body === 'unknown') this.#claimBody(reading, ledger);
  }

  #agreesOnCountry(reading: WorldReading, { plantCountry }: Draft): boolean {
    return plantCountry === '' || plantCountry === this.#text(reading, FIELD.plantCountry);
  }

  /** Returns the model; empty if none was decided. */
  model(reading: WorldReading): string {
    return this.#text(reading, FIELD.model);
  }

  /**
   * Returns true if the layout is of machines, and the VIN is no trailer of North America with the same code: it has a
   * check letter where those have a check digit, or its code is of another continent.
   */
  isMachine(vin: string, reading: WorldReading): boolean {
    if (this.#text(reading, FIELD.vehicleType) !== MACHINE) return false;
    return CHECK_LETTER.test(vin.charAt(8)) || !isOfNorthAmerica(vin.charCodeAt(0));
  }

  /** Returns true if each vehicle of the layout has a check digit, in any market. */
  prescribesCheckDigit({ layout }: WorldReading): boolean {
    return layout >= 0 && CHECK_DIGIT_RULES[this.#tables.layoutCheck[layout] as number] === 'mandatory';
  }

  /** Returns the facts file and the layout's name: "volkswagen/row". */
  layoutName(layout: number): string {
    return this.#strings.get(this.#tables.layoutId[layout] as number);
  }

  #claimBody(reading: WorldReading, ledger: Ledger): void {
    if (reading.has(FIELD.body)) {
      const row = rowOf(reading, FIELD.body);
      ledger.claim(LAYOUT, F.body, BODY_STYLES[reading.value[FIELD.body] as number] ?? 'unknown', row);
      ledger.claim(LAYOUT, F.bodyLabel, this.#text(reading, FIELD.bodyLabel), row);
      return;
    }
    if (reading.bodies.length < 2) return;
    const bodies = reading.bodies.map((body) => this.#strings.get(this.#tables.bodyLabel[body] as number));
    ledger.claim(LAYOUT, F.possibleBodies, bodies, BY.layout);
  }

  #text(reading: WorldReading, field: number): string {
    return reading.has(field) ? this.#strings.get(reading.value[field] as number) : '';
  }
}

/** Returns the fact that decided a field, or the layout itself. */
function rowOf(reading: WorldReading, field: number): number {
  const fact = reading.fact[field] as number;
  return fact < 0 ? BY.layout : fact;
}
