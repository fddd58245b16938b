import type { Strings } from '../catalog/strings.ts';
import { CHECK_DIGIT_RULES, TENTHS } from '../report/world-fields.ts';
import { FIELD, type WorldReading } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import type { Draft } from '../report/draft.ts';
import { BODY_STYLES } from '../report/report.ts';

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

/** Generations that share a code: which of them, the model year tells. */
const SEVERAL = /\//;

/** A works code of a generation, finer than the table of generations by model year: "F07" of the 5 Series. A number is not. */
const CODE = /^[^/]*\d[^/]*$/;

/** Texts that describe the same car under any reading: a North American one lacks them where vPIC does. */
const COMPLEMENTS = ['modelCode', 'generation', 'fuelType', 'driveType', 'plantCity'] as const;

/** Writes what the world's facts settled into a draft. */
export class WorldWriter {
  readonly #tables: WorldTables;
  readonly #strings: Strings;

  constructor(tables: WorldTables, strings: Strings) {
    this.#tables = tables;
    this.#strings = strings;
  }

  /** Writes the whole reading. */
  write(reading: WorldReading, draft: Draft): void {
    for (const name of TEXTS) draft[name] = this.#text(reading, FIELD[name]);
    if (SEVERAL.test(draft.generation)) draft.generation = '';
    for (const name of NUMBERS) draft[name] = reading.has(FIELD[name]) ? (reading.value[FIELD[name]] as number) : 0;
    draft.engineModel = this.#text(reading, FIELD.engineCode);
    if (reading.has(FIELD.batteryCapacityKwh)) {
      draft.batteryCapacityKwh = (reading.value[FIELD.batteryCapacityKwh] as number) / TENTHS;
    }
    draft.modelYear = reading.modelYear;
    this.#writeBody(reading, draft);
  }

  /**
   * Fills what another reading left open, where both read the same make and model: generation and codes that
   * NHTSA's tables do not have.
   */
  complement(reading: WorldReading, draft: Draft): void {
    if (draft.model === '' || this.#text(reading, FIELD.model) !== draft.model) return;
    if (this.#text(reading, FIELD.make) !== draft.make) return;
    for (const name of COMPLEMENTS) {
      if (name === 'generation' && !CODE.test(this.#text(reading, FIELD.generation))) continue;
      if (name === 'plantCity' && !this.#agreesOnCountry(reading, draft)) continue;
      if (draft[name] === '') draft[name] = this.#text(reading, FIELD[name]);
    }
    if (draft.plantCountry === '') draft.plantCountry = this.#text(reading, FIELD.plantCountry);
    if (draft.body === 'unknown') this.#writeBody(reading, draft);
  }

  #agreesOnCountry(reading: WorldReading, { plantCountry }: Draft): boolean {
    return plantCountry === '' || plantCountry === this.#text(reading, FIELD.plantCountry);
  }

  /** The model that was read; empty where none was settled. */
  model(reading: WorldReading): string {
    return this.#text(reading, FIELD.model);
  }

  /** Whether each vehicle of the reading's layout has a check digit, whatever its market. */
  prescribesCheckDigit({ profile }: WorldReading): boolean {
    return profile >= 0 && CHECK_DIGIT_RULES[this.#tables.profileCheck[profile] as number] === 'mandatory';
  }

  /** The facts file and the layout's name: "volkswagen/row". */
  profileName(profile: number): string {
    return this.#strings.get(this.#tables.profileId[profile] as number);
  }

  #writeBody(reading: WorldReading, draft: Draft): void {
    if (reading.has(FIELD.body)) {
      draft.body = BODY_STYLES[reading.value[FIELD.body] as number] ?? 'unknown';
      draft.bodyLabel = this.#text(reading, FIELD.bodyLabel);
      return;
    }
    if (reading.bodies.length > 1) {
      draft.possibleBodies = reading.bodies.map((body) => this.#strings.get(this.#tables.bodyLabel[body] as number));
    }
  }

  #text(reading: WorldReading, field: number): string {
    return reading.has(field) ? this.#strings.get(reading.value[field] as number) : '';
  }
}
