import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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
import { decodeAll, DEVELOPMENT_SET, labelledSets } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * `npm run accuracy [-- FILE.jsonl…]`: decodes labelled VINs and prints, for each field, how many were answered and how
 * many answers were right. Without files: the project's own labelled VINs, and the development set where it stands
 * beside the project; then docs/accuracy.md is written anew.
 *
 * `npm run accuracy -- --leave-out [FILE.jsonl…]` prints the same with each VIN decoded by a catalog without the rows that
 * rest on it: what to expect of VINs that nobody has looked at. It writes no file.
 */
const LEAVE_OUT = '--leave-out';
const given = process.argv.slice(2).filter((word) => word !== LEAVE_OUT);
const files = given.length > 0 ? given : labelledSets();
if (process.argv.includes(LEAVE_OUT)) printUnseen();
else printSeen();

function printUnseen(): void {
  const facts = readWorld();
  const vpic = readVpicTables(openNpmPackage());
  for (const file of files) {
    const scored = decodeUnseen(readLabelled(file), facts, (world) =>
      openCatalog(compileWith(vpic, '', undefined, world)),
    );
    process.stdout.write(`${titleOf(file, scored)}, left out in turn\n\n${fieldTable(scored)}\n\n`);
    process.stdout.write(`${groupTables(scored)}\n\n${missesOf(scored)}\n\n`);
  }
}

function printSeen(): void {
  const decoder = openCatalog(ensureCatalog().file);
  const chapters: string[] = [];
  for (const file of files) {
    const scored = decodeAll(decoder, file);
    const title = titleOf(file, scored);
    process.stdout.write(`${title}\n\n${fieldTable(scored)}\n\n`);
    const repair = repairChapter(decoder, vinsOf(scored));
    process.stdout.write(`${repair}\n\n`);
    chapters.push(
      [title, fieldTable(scored), repair, groupTables(scored), coverageTable(scored), missesOf(scored)].join('\n\n'),
    );
  }
  if (given.length > 0 || !existsSync(DEVELOPMENT_SET)) return;
  const file = join(PROJECT_ROOT, 'docs', 'accuracy.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${HEADER}\n${chapters.join('\n\n')}\n`);
  process.stdout.write(`By make, region and year, with every miss: docs/accuracy.md\n`);
}

function titleOf(file: string, scored: readonly Scored[]): string {
  return `## ${basename(file, '.jsonl')}: ${scored.length} labelled VINs`;
}

function vinsOf(scored: readonly Scored[]): string[] {
  return scored.map(({ labelled }) => labelled.vin);
}
