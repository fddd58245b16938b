import { existsSync } from 'node:fs';

import { openCatalog } from '@marque/decoder';

import type { RegisterName } from '../../sources/registers/index.ts';
import type { Families } from '../../sources/specs/names.ts';
import type { OnShare } from '../../sources/specs/open-table.ts';
import { readFamilies } from '../../sources/specs/vocabulary.ts';
import { allLabeled } from '../labels/sets.ts';
import type { ProjectFacts } from '../build.ts';
import { importsFolder } from '../inputs.ts';
import { catalogFile } from '../root.ts';
import { specFactsFolder } from '../specs/load.ts';
import type { LabeledVin } from '../labels/labeled.ts';
import { alone } from './alone.ts';
import { type ImportImpact, impactOfImport } from './impact.ts';
import { putImport } from './imports.ts';
import { readRegister } from './read-register.ts';
import { rebuild } from './rebuild.ts';
import type { Refusal } from './refusals.ts';

/**
 * The outcome of an import: the number of records used, and the reasons for skipping others. A refused one changed
 * nothing.
 */
export type RegisterOutcome =
  | {
      kind: 'imported';
      file: string;
      records: number;
      taken: number;
      /** Variants by family and year, and types by VIN mask, that the catalog now has of it. */
      variants: number;
      approvals: number;
      refused: Refusal[];
      /** Answers that change with it; absent if there was no catalog before. */
      impact?: ImportImpact;
    }
  | { kind: 'refused'; reason: string };

export interface RegisterOptions {
  /** The path of the catalog; default: that of the built one. */
  target?: string;
  /** The folder of the registers' tables, kept for later builds; default: beside the built catalog. */
  folder?: string;
  onShare?: OnShare;
  families?: Families;
  /** The facts that it is compiled with; default: the project's. */
  project?: ProjectFacts;
  /** Labeled VINs whose answers are compared; default: all. */
  labeled?: readonly LabeledVin[];
  /** With `preview` nothing changes. */
  preview?: boolean;
  now?: Date;
}

/**
 * Reads an official register, stores its data as tables, and compiles the catalog with it and all earlier imports. The
 * earlier catalog and tables stay until the new catalog is verified; with `preview` nothing changes.
 */
export async function importRegister(
  name: RegisterName,
  files: readonly string[],
  options: RegisterOptions = {},
): Promise<RegisterOutcome> {
  const { target = catalogFile(), folder = importsFolder() } = options;
  return alone([folder, target], async () => importAlone(name, files, { ...options, target, folder }));
}

async function importAlone(
  name: RegisterName,
  files: readonly string[],
  options: RegisterOptions & { target: string; folder: string },
): Promise<RegisterOutcome> {
  const { target, folder, onShare, project, now = new Date() } = options;
  const { preview = false, labeled } = options;
  const families = (): Families =>
    options.families ?? readFamilies(new URL('names.csv', specFactsFolder()), project?.world);
  const reading = await readRegister(name, files, families, onShare);
  if (reading.kind === 'refused') return reading;
  const { records, taken, refused, specs, approvals } = reading;
  const note = { imported: now.toISOString().slice(0, 10), records };
  let impact: ImportImpact | undefined;
  const compare = (catalog: Uint8Array): boolean => {
    if (existsSync(target)) {
      const masks = approvals.map(({ mask }) => mask);
      impact = impactOfImport(openCatalog(target), openCatalog(catalog), masks, labeled ?? allLabeled());
    }
    return !preview;
  };
  const put = (staged: string): void => putImport(staged, name, { specs, approvals }, note);
  const fault = await rebuild({ target, folder, project }, put, compare);
  if (fault !== undefined) return { kind: 'refused', reason: fault };
  return {
    kind: 'imported',
    file: target,
    records,
    taken,
    variants: specs.length,
    approvals: approvals.length,
    refused,
    ...(impact !== undefined && { impact }),
  };
}
