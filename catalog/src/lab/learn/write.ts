import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stringify } from 'yaml';

import { csvLine } from '../../csv.ts';
import { TableRow } from '../../world/columns.ts';
import { LEARNED_LAYOUTS, LEARNED_TABLE } from '../../world/load.ts';
import type { Learned } from './learn.ts';

/** Writes the learned rows as a folder of makers, in the form of facts/world; removes those of an earlier run. */
export function writeLearned(folder: string, { tables, layouts }: Pick<Learned, 'tables' | 'layouts'>): void {
  mkdirSync(folder, { recursive: true });
  for (const maker of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of [LEARNED_TABLE, LEARNED_LAYOUTS]) rmSync(join(folder, maker.name, file), { force: true });
  }
  for (const [maker, rows] of tables) {
    mkdirSync(join(folder, maker), { recursive: true });
    writeFileSync(join(folder, maker, LEARNED_TABLE), tableText(rows));
  }
  for (const [maker, own] of Map.groupBy(layouts, (layout) => layout.folder)) {
    const file = {
      about: 'Layouts of WMIs that no other layout has, learned from labeled cars.',
      layouts: own.map(({ entry }) => entry),
    };
    mkdirSync(join(folder, maker), { recursive: true });
    writeFileSync(join(folder, maker, LEARNED_LAYOUTS), stringify(file, { lineWidth: 120 }));
  }
}

/** Returns the rows as CSV with the columns that any of them has, ordered by layout, field and code. */
function tableText(rows: readonly TableRow[]): string {
  const columns = Object.keys(TableRow.properties).filter((column) => rows.some((row) => column in row));
  const lines = rows.map((row) => csvLine(columns.map((column) => row[column as keyof TableRow])));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
