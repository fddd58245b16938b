import type { Decoder } from '@marque/decoder';

import type { CarRegisterName } from '../../sources/registers/index.ts';
import type { Families } from '../../sources/specs/names.ts';
import { readFamilies } from '../../sources/specs/vocabulary.ts';
import { allLabeled } from '../labels/sets.ts';
import { specFactsFolder } from '../specs/load.ts';
import { impactOfRegisters, type RegisterImpact } from './impact.ts';
import { mergeRegisters, type Merged } from './merge.ts';
import { compileRegisters } from './overlay.ts';
import { type CarProgress, type ImportedCars, readCarsOf } from './read-cars.ts';
import { readPatterns } from './table.ts';

/** A register as it is kept: its word, the day of its import (UTC), and its patterns as text. */
export interface KeptRegister {
  register: string;
  imported: string;
  patterns: string;
}

/** Several registers together, compiled for `withOverlay` of the decoder. */
export interface TaughtOverlay {
  bytes: Uint8Array;
  merged: Merged;
}

/** Reads the files of a register of cars. A stopped import of the same files goes on. */
export async function learnRegister(
  name: CarRegisterName,
  files: readonly string[],
  options: {
    onProgress?: (progress: CarProgress) => void;
    families?: Families;
    /** The folder of counts on the disk; a stopped import continues there. */
    folder: string;
    signal?: AbortSignal;
  },
): Promise<ImportedCars | { kind: 'refused'; reason: string }> {
  const { families = readFamilies(new URL('names.csv', specFactsFolder())) } = options;
  return readCarsOf(name, files, { ...options, families });
}

/** Puts kept registers together. */
export function overlayOfRegisters(kept: readonly KeptRegister[]): TaughtOverlay {
  const merged = mergeRegisters(kept.map(({ register, patterns }) => ({ register, patterns: readPatterns(patterns) })));
  return { bytes: compileRegisters(merged, kept), merged };
}

/**
 * Returns the effect of an overlay of registers on all labeled VINs. The npm package has fewer than a clone.
 *
 * @param before decodes without it, and `after` with it
 */
export function impactOfOverlay(before: Decoder, after: Decoder, { merged }: TaughtOverlay): RegisterImpact {
  return impactOfRegisters(before, after, merged, allLabeled());
}
