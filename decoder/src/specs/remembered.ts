import type { Draft } from '../decode/draft.ts';
import { engineLine } from '../decode/engine-line.ts';
import type { SpecAnswer, SpecJoin } from './join.ts';
import type { SpecMarket } from './tables.ts';

/** This many variants are remembered, some hundred bytes each; beyond, all are forgotten and learnt anew. */
const REMEMBERED = 20_000;
const CODES = 36;

const NONE: readonly SpecAnswer[] = [];

/**
 * A reading and what the tables add to it. The reading's own fields are kept to recognise it: VINs that start alike mostly
 * read alike, but serial numbers and check digits may part them.
 */
class Variant {
  market: SpecMarket | undefined;
  make = '';
  model = '';
  modelCode = '';
  generation = '';
  trim = '';
  modelYear = 0;
  body = '';
  bodyLabel = '';
  fuelType = '';
  engine = '';
  engineModel = '';
  configuration = 0;
  turbo = false;
  driveType = '';
  transmission = '';
  emissionsStandard = '';
  cylinders = 0;
  displacementCc = 0;
  powerKw = 0;
  batteryCapacityKwh = 0;
  wheelbaseMm = 0;
  curbWeightKg = 0;
  lengthMm = 0;
  widthMm = 0;
  heightMm = 0;
  grossWeightKg = 0;
  answers = NONE;
  /** The reading's fields after the tables' values were written in. */
  readonly full = {
    engineLine: '',
    fuelType: '',
    driveType: '',
    transmission: '',
    emissionsStandard: '',
    cylinders: 0,
    displacementCc: 0,
    powerKw: 0,
    batteryCapacityKwh: 0,
    lengthMm: 0,
    widthMm: 0,
    heightMm: 0,
    wheelbaseMm: 0,
    curbWeightKg: 0,
    grossWeightKg: 0,
    groundClearanceMm: 0,
    cargoVolumeLiters: 0,
    cargoVolumeMaxLiters: 0,
  };

  constructor(draft: Draft, market: SpecMarket | undefined) {
    this.market = market;
    this.make = draft.make;
    this.model = draft.model;
    this.modelCode = draft.modelCode;
    this.generation = draft.generation;
    this.trim = draft.trim;
    this.modelYear = draft.modelYear;
    this.body = draft.body;
    this.bodyLabel = draft.bodyLabel;
    this.fuelType = draft.fuelType;
    this.engine = draft.engine;
    this.engineModel = draft.engineModel;
    this.configuration = draft.configuration;
    this.turbo = draft.turbo;
    this.driveType = draft.driveType;
    this.transmission = draft.transmission;
    this.emissionsStandard = draft.emissionsStandard;
    this.cylinders = draft.cylinders;
    this.displacementCc = draft.displacementCc;
    this.powerKw = draft.powerKw;
    this.batteryCapacityKwh = draft.batteryCapacityKwh;
    this.wheelbaseMm = draft.wheelbaseMm;
    this.curbWeightKg = draft.curbWeightKg;
    this.lengthMm = draft.lengthMm;
    this.widthMm = draft.widthMm;
    this.heightMm = draft.heightMm;
    this.grossWeightKg = draft.grossWeightKg;
  }

  isOf(draft: Draft, market: SpecMarket | undefined): boolean {
    return (
      this.modelYear === draft.modelYear &&
      this.market === market &&
      this.displacementCc === draft.displacementCc &&
      this.cylinders === draft.cylinders &&
      this.configuration === draft.configuration &&
      this.turbo === draft.turbo &&
      this.powerKw === draft.powerKw &&
      this.batteryCapacityKwh === draft.batteryCapacityKwh &&
      this.wheelbaseMm === draft.wheelbaseMm &&
      this.curbWeightKg === draft.curbWeightKg &&
      this.lengthMm === draft.lengthMm &&
      this.widthMm === draft.widthMm &&
      this.heightMm === draft.heightMm &&
      this.grossWeightKg === draft.grossWeightKg &&
      this.model === draft.model &&
      this.make === draft.make &&
      this.fuelType === draft.fuelType &&
      this.body === draft.body &&
      this.driveType === draft.driveType &&
      this.transmission === draft.transmission &&
      this.engine === draft.engine &&
      this.engineModel === draft.engineModel &&
      this.emissionsStandard === draft.emissionsStandard &&
      this.modelCode === draft.modelCode &&
      this.generation === draft.generation &&
      this.trim === draft.trim &&
      this.bodyLabel === draft.bodyLabel
    );
  }

  /** Takes the fields that tables may fill, and the engine's line, from a draft that has them. */
  keep(draft: Draft): void {
    draft.engineLine = engineLine(draft);
    copy(draft, this.full);
  }
}

type Full = Variant['full'];

function copy(from: Full, to: Full): void {
  to.engineLine = from.engineLine;
  to.fuelType = from.fuelType;
  to.driveType = from.driveType;
  to.transmission = from.transmission;
  to.emissionsStandard = from.emissionsStandard;
  to.cylinders = from.cylinders;
  to.displacementCc = from.displacementCc;
  to.powerKw = from.powerKw;
  to.batteryCapacityKwh = from.batteryCapacityKwh;
  to.lengthMm = from.lengthMm;
  to.widthMm = from.widthMm;
  to.heightMm = from.heightMm;
  to.wheelbaseMm = from.wheelbaseMm;
  to.curbWeightKg = from.curbWeightKg;
  to.grossWeightKg = from.grossWeightKg;
  to.groundClearanceMm = from.groundClearanceMm;
  to.cargoVolumeLiters = from.cargoVolumeLiters;
  to.cargoVolumeMaxLiters = from.cargoVolumeMaxLiters;
}

/** Fills drafts from the tables, each variant once: the same few thousand variants come again and again. */
export class RememberedSpecs {
  /** What the last draft got, for explaining it. */
  filled: readonly SpecAnswer[] = NONE;
  readonly #join: SpecJoin;
  readonly #variants = new Map<number, Variant>();

  constructor(join: SpecJoin) {
    this.#join = join;
  }

  /** Writes what the tables settle, and the engine's line. `codes`: the VIN's characters as numbers. */
  fill(draft: Draft, market: SpecMarket | undefined, codes: Uint8Array): void {
    const key = keyOf(codes);
    let variant = this.#variants.get(key);
    if (variant !== undefined && variant.isOf(draft, market)) {
      copy(variant.full, draft);
      this.filled = variant.answers;
      return;
    }
    if (this.#variants.size >= REMEMBERED) this.#variants.clear();
    variant = new Variant(draft, market);
    if (market !== undefined) {
      variant.answers = this.#join.answers(draft, market, codes);
      write(variant.answers, draft);
    }
    variant.keep(draft);
    this.filled = variant.answers;
    this.#variants.set(key, variant);
  }
}

function write(answers: readonly SpecAnswer[], draft: Draft): void {
  for (const answer of answers) {
    if (answer.kind === 'number') draft[answer.field] = answer.value;
    else draft[answer.field] = answer.value;
  }
}

/** Positions 1 to 8, 10 and 11 as one number: 36 to the tenth stays below 2 to the 53rd. */
function keyOf(codes: Uint8Array): number {
  let high = 0;
  let low = 0;
  for (let at = 0; at < 5; at++) high = high * CODES + (codes[at] as number);
  for (let at = 5; at < 8; at++) low = low * CODES + (codes[at] as number);
  low = (low * CODES + (codes[9] as number)) * CODES + (codes[10] as number);
  return high * (CODES * CODES * CODES * CODES * CODES) + low;
}
