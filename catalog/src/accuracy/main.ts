import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { openCatalog } from '@marque/decoder';

import { ensureCatalog } from '../build.ts';
import { PROJECT_ROOT } from '../root.ts';
import { coverageTable } from './coverage-table.ts';
import { HEADER, missesOf } from './misses.ts';
import { fieldTable, groupTables } from './print.ts';
import { repairChapter } from './repair.ts';
import { decodeAll, DEVELOPMENT_SET, labelledSets } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * `npm run accuracy [-- FILE.jsonl…]`: decodes labelled VINs and prints, for each field, how many were answered and how
 * many answers were right. Without files: the project's own labelled VINs, and the development set where it stands
 * beside the project; then docs/accuracy.md is written anew.
 */
function vinsOf(scored: readonly Scored[]): string[] {
  return scored.map(({ labelled }) => labelled.vin);
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : labelledSets();
const decoder = openCatalog(ensureCatalog().file);
const chapters: string[] = [];
for (const file of files) {
  const scored = decodeAll(decoder, file);
  const title = `## ${basename(file, '.jsonl')}: ${scored.length} labelled VINs`;
  process.stdout.write(`${title}\n\n${fieldTable(scored)}\n\n`);
  const repair = repairChapter(decoder, vinsOf(scored));
  process.stdout.write(`${repair}\n\n`);
  chapters.push(
    [title, fieldTable(scored), repair, groupTables(scored), coverageTable(scored), missesOf(scored)].join('\n\n'),
  );
}
if (given.length === 0 && existsSync(DEVELOPMENT_SET)) {
  const file = join(PROJECT_ROOT, 'docs', 'accuracy.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${HEADER}\n${chapters.join('\n\n')}\n`);
  process.stdout.write(`By make, region and year, with every miss: docs/accuracy.md\n`);
}
