import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT } from '../root.ts';
import { type LabeledVin, readLabeled } from './labeled.ts';

/** The evaluation set: labeled VINs without the last three characters. */
export const EVALUATION = join(CATALOG_ROOT, 'evaluation');

/** Returns the files of labeled VINs: the difficult ones, and the evaluation set. */
export function labeledSets(): string[] {
  return [join(CATALOG_ROOT, 'facts', 'labelled'), EVALUATION].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
}

/** Returns all labeled VINs; none in an npm package, which lacks them. */
export function allLabeled(): LabeledVin[] {
  return existsSync(EVALUATION) ? labeledSets().flatMap(readLabeled) : [];
}
