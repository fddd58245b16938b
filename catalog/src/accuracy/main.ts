import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { openCatalog } from '@marque/decoder';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { readVpicTables } from '../../sources/vpic/read-npm-package.ts';
import { compileWith, ensureCatalog } from '../build.ts';
import { PROJECT_ROOT } from '../root.ts';
import { readWorld } from '../world/load.ts';
import { coverageTable } from './coverage-table.ts';
import { HEADER, missesOf } from './misses.ts';
import { readLabelled } from './labelled.ts';
import { decodeUnseen } from './leave-out.ts';
import { fieldTable, groupTables } from './print.ts';
import { repairChapter } from './repair.ts';
import { decodeOne, DEVELOPMENT_SET, labelledSets } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * `npm run accuracy [-- FILE.jsonl…]`: decodes labelled VINs, each by a catalog without the rows that rest on nothing but its
 * own group, and prints for each field how many were answered and how many answers were right: what to expect of VINs that
 * nobody has looked at. Without files: the project's own labelled VINs, and the development set where it stands beside the
 * project; then docs/accuracy.md is written anew.
 *
 * `--fit` decodes with the catalog as it is and writes no file. `--repair` mistypes every VIN rather than a sample.
 */
const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: { fit: { type: 'boolean', default: false }, repair: { type: 'boolean', default: false } },
});
const files = given.length > 0 ? given : labelledSets();
const shipped = openCatalog(ensureCatalog().file);
const chapters = decodeFiles().map((scored, index) => printSet(files[index] ?? '', scored));
if (given.length === 0 && !options.fit && existsSync(DEVELOPMENT_SET)) writeDocument();

function decodeFiles(): Scored[][] {
  const sets = files.map((file) => readLabelled(file));
  if (options.fit) return sets.map((labelled) => labelled.map((one) => decodeOne(shipped, one)));
  const vpic = readVpicTables(openNpmPackage());
  return decodeUnseen(sets, readWorld(), (world) => openCatalog(compileWith(vpic, '', undefined, world)));
}

/** Prints the fields of a set; gives all that the document keeps of it. */
function printSet(file: string, scored: readonly Scored[]): string {
  const title = `## ${basename(file, '.jsonl')}: ${scored.length} labelled VINs`;
  const vins = scored.map(({ labelled }) => labelled.vin);
  const repair = repairChapter(shipped, vins, options.repair ? 'all' : 'sample');
  process.stdout.write(`${title}\n\n${fieldTable(scored)}\n\n${repair}\n\n`);
  return [title, fieldTable(scored), repair, groupTables(scored), coverageTable(scored), missesOf(scored)].join('\n\n');
}

function writeDocument(): void {
  const file = join(PROJECT_ROOT, 'docs', 'accuracy.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${HEADER}\n${chapters.join('\n\n')}\n`);
  process.stdout.write(`By make, region and year, with every miss: docs/accuracy.md\n`);
}
