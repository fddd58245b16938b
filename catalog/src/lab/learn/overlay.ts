import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CatalogSource, type Decoder, withOverlay } from '@marque/decoder';
import { OVERLAY, writeContainer } from '@marque/decoder/format';

import type { LabeledVin } from '../../labels/labeled.ts';
import type { Sections } from '../../binary/sections.ts';
import { StringTable } from '../../binary/string-table.ts';
import { compileWmis } from '../../wmi/wmis.ts';
import type { TableRow } from '../../world/columns.ts';
import { compileWorld } from '../../world/compile.ts';
import { readLayouts } from '../../world/layouts.ts';
import { holdsUnder, LEARNED_LAYOUTS, LEARNED_TABLE, toLayout } from '../../world/load.ts';
import type { VinLayout } from '../../world/model.ts';
import { FactsError, type Problem } from '../../world/problem.ts';
import { toWorldRows } from '../../world/rows.ts';
import { readTable } from '../../world/table.ts';
import { learn } from './learn.ts';
import { LEARNED_SOURCE } from './rows.ts';
import { writeLearned } from './write.ts';

/** Rows to put over a catalog. */
export interface Overlay {
  /** The compiled rows, for `withOverlay` of the decoder. */
  bytes: Uint8Array;
  rows: number;
  /** Layouts of WMIs that the catalog has none for. */
  layouts: number;
}

/**
 * Compiles the output of `writeLearned` in a folder.
 *
 * @param known the layouts of the rows
 * @param imported the day (UTC), for the list of sources
 * @throws FactsError that lists every fault in the files; Error if the folder has no rows
 */
export function compileOverlay(folder: string, known: readonly VinLayout[], imported: string): Overlay {
  const { overlaid, hash, rows, layouts } = readLearned(folder, known);
  if (rows === 0)
    throw new Error(`${folder} holds no rows: marque catalog learn FILE --out ${folder} writes them there.`);
  const strings = new StringTable();
  const sections: Sections = new Map();
  const layoutsOf = compileWorld(overlaid, strings, sections);
  compileWmis([], [], layoutsOf, strings, sections);
  const source: CatalogSource = { id: 'learned', title: 'Learned from labeled cars', imported };
  const meta = { kind: OVERLAY, hash, worldRows: rows, sources: JSON.stringify([source]) };
  return { bytes: writeContainer(meta, new Map([...strings.sections(), ...sections])), rows, layouts };
}

/**
 * Puts over a decoder what cars teach, as far as somebody has reviewed it.
 *
 * @param reviewed the rows that passed a review when all cars had been learned from, by the folder of their maker
 */
export function withLearned(
  decoder: Decoder,
  layouts: readonly VinLayout[],
  cars: readonly LabeledVin[],
  reviewed: ReadonlyMap<string, readonly TableRow[]>,
): Decoder {
  const learned = learn(cars, layouts, decoder);
  for (const [maker, rows] of learned.tables) {
    const codes = new Set(reviewed.get(maker)?.map(codeOf));
    const own = rows.filter((row) => codes.has(codeOf(row)));
    if (own.length > 0) learned.tables.set(maker, own);
    else learned.tables.delete(maker);
  }
  if (learned.tables.size === 0) return decoder;
  const folder = mkdtempSync(join(tmpdir(), 'marque-learned-'));
  try {
    writeLearned(folder, learned);
    return withOverlay(decoder, compileOverlay(folder, layouts, '').bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the identity of a row: its code, and the columns that it fills. */
function codeOf({ layout, positions, code, wmi, ...row }: TableRow): string {
  return [layout, positions, code, wmi, ...TOLD.filter((column) => row[column] !== undefined)].join(' ');
}

const TOLD = [
  'make',
  'model',
  'generation',
  'model_year',
  'body',
  'fuel',
  'cc',
  'kw',
  'drive',
  'transmission',
] as const;

const NO_LAYOUTS: ReturnType<typeof readLayouts> = { entries: [], problems: [] };

function readLearned(folder: string, known: readonly VinLayout[]) {
  const problems: Problem[] = [];
  const overlaid: VinLayout[] = [];
  const hash = createHash('sha256');
  let [rows, layouts] = [0, 0];
  for (const maker of makersIn(folder)) {
    const text = (name: string): string => {
      const file = join(folder, maker, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const [table, entries] = [text(LEARNED_TABLE), text(LEARNED_LAYOUTS)];
    hash.update(`${maker}\0${table}\0${entries}\0`);
    const name = `${maker}/${LEARNED_TABLE}`;
    const read = readTable(name, table, new Map([[LEARNED_SOURCE, 'labelled']]));
    const made = entries === '' ? NO_LAYOUTS : readLayouts(`${maker}/${LEARNED_LAYOUTS}`, entries);
    problems.push(...read.problems, ...made.problems);
    const own = read.rows.flatMap(toWorldRows);
    const tables = new Map([[name, own]]);
    const ofMaker = known.filter(({ id }) => id.startsWith(`${maker}/`));
    const before = overlaid.length;
    for (const layout of ofMaker) {
      const rowsOf = own.filter((row) => holds(row, layout));
      if (rowsOf.length > 0) overlaid.push({ ...layout, rows: rowsOf });
    }
    for (const entry of made.entries) overlaid.push(toLayout(maker, entry, tables).layout);
    const held = new Set(overlaid.slice(before).flatMap((layout) => layout.rows.map(({ origin }) => origin)));
    for (const { origin } of read.rows) {
      if (!held.has(origin)) problems.push({ where: origin, what: `no layout of ${maker} takes this row` });
    }
    rows += read.rows.length;
    layouts += made.entries.length;
  }
  if (problems.length > 0) throw new FactsError(problems);
  return { overlaid, hash: hash.digest('hex'), rows, layouts };
}

function holds(row: VinLayout['rows'][number], { id, wmis }: VinLayout): boolean {
  return holdsUnder(row, { name: id.slice(id.indexOf('/') + 1), wmis });
}

function makersIn(folder: string): string[] {
  if (!existsSync(folder))
    throw new Error(`There is no folder ${folder}: marque catalog learn FILE --out ${folder} makes it.`);
  const makers = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return makers.map(({ name }) => name).toSorted();
}
