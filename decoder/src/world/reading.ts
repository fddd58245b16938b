import { OPEN_FROM, OPEN_TO, WORLD_FIELDS, type WorldField } from '../report/world-fields.ts';

export const FIELDS = WORLD_FIELDS.length;

/** Facts that one VIN can match under one layout at most; the compiler refuses facts that could exceed it. */
export const MOST_FACTS = 512;

/** The number of a field in the catalog file. */
export const FIELD = Object.fromEntries(WORLD_FIELDS.map((name, index) => [name, index])) as Record<WorldField, number>;

/** The values of one layout's facts for a VIN. Reused from VIN to VIN. */
export class WorldReading {
  /** The layout that was read; -1 = none laid this VIN out. */
  layout = -1;
  /** True if several makes share the WMI: then it takes a model, or a fact about the make, to decide the make. */
  sharedWmi = false;
  /** The rank between layouts: positions of the condition first, then of the model. */
  rank = -1;
  /** 0 = open. */
  modelYear = 0;
  /** Years that all deciding facts cover. */
  productionFrom = OPEN_FROM;
  productionTo = OPEN_TO;
  /** Facts that matched, in the order of the files; `vote` marks the active ones. */
  readonly facts = new Uint32Array(MOST_FACTS);
  readonly vote = new Uint8Array(MOST_FACTS);
  /** The fit of each fact's years to those that the VIN may mean; 0 = none. */
  readonly fit = new Uint8Array(MOST_FACTS);
  factCount = 0;
  /** 1 for each decided field. */
  readonly settled = new Uint8Array(FIELDS);
  readonly value = new Uint32Array(FIELDS);
  /** The row of the best rank that has the decided value, for each field; -1: the layout itself has it. */
  readonly fact = new Int32Array(FIELDS);
  /** The best rank among active facts by field, -1 = none; and 1 = facts of that rank disagree. */
  readonly bestRank = new Int32Array(FIELDS);
  readonly split = new Uint8Array(FIELDS);
  /** Styles that remain possible if the facts do not decide the body. */
  readonly bodies: number[] = [];

  has(field: number): boolean {
    return this.settled[field] === 1;
  }

  clear(): void {
    this.layout = -1;
    this.sharedWmi = false;
    this.rank = -1;
    this.modelYear = 0;
    this.productionFrom = OPEN_FROM;
    this.productionTo = OPEN_TO;
    this.factCount = 0;
    this.settled.fill(0);
    if (this.bodies.length > 0) this.bodies.length = 0;
  }
}
