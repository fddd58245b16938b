import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Decoder, openCatalog } from '@marque/decoder';

import { compileWith, ensureCatalog, readProjectFacts } from '../../build.ts';
import { readKeptVpic } from '../../import/vpic-kept.ts';
import { packagedVpic } from '../../vpic/packaged.ts';
import { leaveOneSourceOut, loneRows } from '../table-trust/lone-rows.ts';
import { tableOfLone, tableOfRecords, tableOfRows } from '../table-trust/print.ts';
import { judgeTables } from '../table-trust/tables.ts';
import { FACTS_ROOT, PROJECT_ROOT } from '../../root.ts';
import { TABLE_TRUST, readTableTrust, writeTableTrust } from '../../world/table-trust.ts';
import { withLearned } from '../learn/overlay.ts';
import type { TableRow } from '../../world/columns.ts';
import { LEARNED_TABLE, readWorld } from '../../world/load.ts';
import type { VinLayout } from '../../world/model.ts';
import { candidatesChapter } from './candidates.ts';
import { ceilingTable, coverageTable } from './coverage-table.ts';
import { HEADER } from './header.ts';
import { missesOf } from './misses.ts';
import { foldOfModel } from '../../labels/groups.ts';
import { type LabeledVin, readLabeled } from '../../labels/labeled.ts';
import { readVerdicts } from '../../labels/verdict-file.ts';
import { decodeUnlabeled, decodeUnseen, type LearnFrom } from './leave-out.ts';
import { fieldTable, groupTables, type HeldOut, heldOutTable, kindTable } from './print.ts';
import { withCoverage, withFigures } from './readme.ts';
import { repairChapter } from './repair.ts';
import { labeledSets } from '../../labels/sets.ts';
import { decodeOne } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * `npm run accuracy [-- FILE.jsonl…]`: decodes labeled VINs, each by a catalog without the rows that rest on nothing
 * but its own group, and prints for each field how many were answered and how many answers were right: the rates to
 * expect for VINs that no one has looked at. Without files: the project's labeled VINs; then docs/accuracy.md and the
 * README's table are rewritten.
 *
 * `--tables` prints instead how often each table of the world's facts was right, and the rows that are held back or
 * contradicted; without files it stores the counts in facts/world/judgement.csv, which decide which rows answer.
 * `--candidates` measures instead the fields that VINs leave open, and the values that hints decide, with the catalog
 * as it is.
 * `--coverage` prints instead the share of the files' VINs, taken together, that has each technical field, by region,
 * and the share that has the values these fields depend on; without files the README's table of it is rewritten.
 * Each set is also decoded without all cars of a VIN's model, and without every row that rests on labeled VINs; the
 * README shows the lower figure.
 * `--fit` decodes with the catalog as it is and writes no file. `--repair` mistypes every VIN rather than a sample.
 */
const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: {
    fit: { type: 'boolean', default: false },
    repair: { type: 'boolean', default: false },
    tables: { type: 'boolean', default: false },
    lone: { type: 'boolean', default: false },
    candidates: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
});
const files = given.length > 0 ? given : labeledSets();
const isWhole = given.length === 0;
if (options.tables) printTables();
else if (options.lone) printLone();
else if (options.candidates) printCandidates();
else if (options.coverage) printCoverage();
else await printSets();

async function printSets(): Promise<void> {
  const shipped = openCatalog(ensureCatalog().file);
  const sets = files.map((file) => readLabeled(file));
  if (options.fit) {
    for (const [index, labeled] of sets.entries()) {
      const scored = labeled.map((one) => decodeOne(shipped, one));
      process.stdout.write(`## ${nameOf(index)}: ${scored.length} labeled VINs\n\n${fieldTable(scored)}\n\n`);
    }
    return;
  }
  const [byGroup, byModel, unlabeled] = await decodeSets(sets);
  const measured = sets.map(
    (_, index) => [byGroup[index] ?? [], byModel[index] ?? [], unlabeled[index] ?? []] as const,
  );
  const chapters = measured.map(([scored, ofModels, ofFacts], index) =>
    printSet(shipped, nameOf(index), scored, { byModel: ofModels, unlabeled: ofFacts }),
  );
  const kinds = `## By kind of vehicle, all sets\n\n${kindTable(byGroup.flat(), byModel.flat())}`;
  process.stdout.write(`${kinds}\n\n`);
  if (!isWhole) return;
  writeDocument([kinds, ...chapters]);
  const readme = join(PROJECT_ROOT, 'README.md');
  const figures = new Map(measured.map(([scored, ofModels], index) => [nameOf(index), [scored, ofModels]]));
  writeFileSync(readme, withFigures(readFileSync(readme, 'utf8'), figures));
}

function nameOf(index: number): string {
  return basename(files[index] ?? '', '.jsonl');
}

function printCoverage(): void {
  const shipped = openCatalog(ensureCatalog().file);
  const scored = files.flatMap((file) => readLabeled(file).map((one) => decodeOne(shipped, one)));
  process.stdout.write(`${coverageTable(scored, regionOf)}\n\n${ceilingTable(scored, regionOf)}\n`);
  if (!isWhole) return;
  const readme = join(PROJECT_ROOT, 'README.md');
  writeFileSync(readme, withCoverage(readFileSync(readme, 'utf8'), scored));
}

function regionOf({ report }: Scored): string {
  return report.region ?? 'unknown';
}

function printCandidates(): void {
  const shipped = openCatalog(ensureCatalog().file);
  for (const file of files) {
    process.stdout.write(`## ${basename(file, '.jsonl')}\n\n${candidatesChapter(shipped, readLabeled(file))}\n\n`);
  }
}

function printTables(): void {
  const cars = files.flatMap((file) => readLabeled(file));
  const { records, held, contradicted } = judgeTables(readWorld(undefined, 'all'), cars, readVerdicts());
  process.stdout.write(`${tableOfRecords(records)}\n\n## Held back\n\n${tableOfRows(held)}\n\n`);
  process.stdout.write(`## Contradicted more often than confirmed\n\n${tableOfRows(contradicted)}\n`);
  if (isWhole) writeFileSync(join(FACTS_ROOT, 'world', TABLE_TRUST), writeTableTrust(records));
}

function printLone(): void {
  const facts = readWorld();
  const lone = loneRows(facts);
  const cars = files.flatMap((file) => readLabeled(file));
  process.stdout.write(`${tableOfLone(lone, leaveOneSourceOut(facts.layouts, lone, cars))}\n`);
}

/**
 * Returns the sets decoded without each VIN's group, without all cars of its model, and without any row from labels.
 */
async function decodeSets(sets: readonly LabeledVin[][]): Promise<[Scored[][], Scored[][], Scored[][]]> {
  const [vpic, project] = [(await readKeptVpic()) ?? packagedVpic(), readProjectFacts()];
  const open = (world: readonly VinLayout[]): Decoder =>
    openCatalog(compileWith(vpic, '', undefined, { ...project, world }));
  const reviewed = learnedRows();
  const facts = readWorld(undefined, 'unlearned');
  const learnFrom: LearnFrom<Decoder> = (decoder, layouts, cars) => withLearned(decoder, layouts, cars, reviewed);
  return [
    decodeUnseen(sets, facts, open, learnFrom),
    decodeUnseen(sets, facts, open, learnFrom, ({ expected }) => foldOfModel(expected)),
    decodeUnlabeled(sets, facts, open),
  ];
}

/** Returns the learned rows that are shipped, by the folder of their maker. */
function learnedRows(): Map<string, TableRow[]> {
  const learned = [...readWorld().tables].filter(([table]) => table.endsWith(`/${LEARNED_TABLE}`));
  return new Map(learned.map(([table, rows]) => [dirname(table), rows.map(({ row }) => row)]));
}

/** Prints the fields of a set; gives all that the document keeps of it. */
function printSet(shipped: Decoder, name: string, scored: readonly Scored[], heldOut: HeldOut): string {
  const title = `## ${name}: ${scored.length} labeled VINs`;
  const vins = scored.map(({ labeled }) => labeled.vin);
  const repair = repairChapter(shipped, vins, options.repair ? 'all' : 'sample');
  const fields = [fieldTable(scored), heldOutTable(scored, heldOut)];
  process.stdout.write(`${[title, ...fields, repair].join('\n\n')}\n\n`);
  return [title, ...fields, repair, groupTables(scored, heldOut.byModel), coverageTable(scored), missesOf(scored)].join(
    '\n\n',
  );
}

function writeDocument(chapters: readonly string[]): void {
  const file = join(PROJECT_ROOT, 'docs', 'accuracy.md');
  mkdirSync(dirname(file), { recursive: true });
  const records = readTableTrust(readFileSync(join(FACTS_ROOT, 'world', TABLE_TRUST), 'utf8'));
  const tables = `## Tables outside North America\n\n${tableOfRecords(records)}`;
  writeFileSync(file, `${HEADER}\n${[...chapters, tables].join('\n\n')}\n`);
  process.stdout.write(`By make, region and year, with every miss: docs/accuracy.md\n`);
}
