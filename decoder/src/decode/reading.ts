import type { Draft } from '../report/draft.ts';
import type { SpecMarket } from '../specs/tables.ts';
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

/** What a VIN says, with where it is from. It lives in the scratch that was given: valid until that is used again. */
export interface Reading {
  vin: string;
  codes: VinCodes;
  region: string;
  /** All claims on the vehicle; `VinReader.complete` adds those of the tables of specifications. */
  ledger: Ledger;
  /** What they settle. */
  draft: Draft;
  /** vPIC's pass that was read; null where its reading did not count. */
  pass: Pass | null;
  /** What told which of the two years that position 10 may mean; absent where vPIC's reading did not count. */
  basis: CycleBasis | undefined;
  /** vPIC's pass of the other year, where nothing tells which of the two it is: then the draft has what both say. */
  other: Pass | undefined;
  /** What is read in each of the two years, where both remain. */
  either: readonly Draft[];
  /** What the world's facts say: read where vPIC's reading did not count, and complementing it otherwise. */
  world: WorldReading;
  /** Which market's specifications hold: cars of one name differ between markets in engines, bumpers and weights. */
  market: SpecMarket | undefined;
}
