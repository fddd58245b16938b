import type { Draft } from '../report/draft.ts';
import type { SpecMarket } from '../specs/table.ts';
import type { CycleBasis } from '../vpic/cycle.ts';
import type { Pass } from '../vpic/pass.ts';
import { Ledger } from '../settle/ledger.ts';
import { VinCodes } from '../vin/vin-codes.ts';
import { VpicScratch } from '../vpic/scratch.ts';
import { WorldScratch } from '../world/reader.ts';
import type { WorldReading } from '../world/reading.ts';

/** Memory of a reading, used again for the next VIN. Its owner reads one VIN at a time. */
export class Scratch {
  readonly codes = new VinCodes();
  readonly ledger = new Ledger();
  readonly vpic = new VpicScratch();
  readonly world = new WorldScratch();
}

/** The values of a VIN, with their origin. It is part of the given scratch: valid until that is used again. */
export interface Reading {
  vin: string;
  /** The calendar year in which it is read. */
  currentYear: number;
  codes: VinCodes;
  region: string;
  /** All claims on the vehicle; `VinReader.complete` adds those of the tables of specifications. */
  ledger: Ledger;
  /** The decoded values. */
  draft: Draft;
  /** vPIC's pass that was read; null where its reading did not count. */
  pass: Pass | null;
  /** The evidence for one of the two years that position 10 may mean; absent if vPIC's reading did not count. */
  basis: CycleBasis | undefined;
  /** vPIC's pass of the other year, if nothing decides between the two: then the draft has the common values. */
  other: Pass | undefined;
  /** The values decoded in each of the two years, if both remain. */
  either: readonly Draft[];
  /** The values of the world's facts: used if vPIC's reading did not count, and complementing it otherwise. */
  world: WorldReading;
  /** The market whose specifications apply: cars of one name differ between markets in engines, bumpers and weights. */
  market: SpecMarket | undefined;
}
