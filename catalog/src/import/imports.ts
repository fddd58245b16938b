import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type RegisterName, REGISTERS } from '../../sources/registers/index.ts';
import { writeTable } from '../../sources/specs/write.ts';
import { csvLine } from '../csv.ts';
import { approvalsFolder, LIST } from '../imported.ts';
import { APPROVAL_FIELDS, type ApprovalRow } from '../approvals/columns.ts';
import type { RegisterTables } from './collector.ts';

const SPEC_HEADER = 'id,market,basis,coverage,title,publisher,licence,url';
const APPROVAL_HEADER = 'id,market,title,publisher,licence,url';
const LIST_HEADER = 'id,title,imported,records';

/**
 * Works on a copy of a folder of imports; `finish` puts it in the folder's place, `drop` forgets it. So an import that
 * fails leaves the tables of the ones before it as they were.
 */
export function stageImports(folder: string): { staged: string; finish: () => void; drop: () => void } {
  const staged = `${folder}.${process.pid}`;
  const drop = (): void => rmSync(staged, { recursive: true, force: true });
  drop();
  mkdirSync(dirname(folder), { recursive: true });
  try {
    if (existsSync(folder)) cpSync(folder, staged, { recursive: true });
    else mkdirSync(staged);
  } catch (error) {
    drop();
    throw error;
  }
  const finish = (): void => {
    const old = `${staged}.old`;
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(staged, folder);
    rmSync(old, { recursive: true, force: true });
  };
  return { staged, finish, drop };
}

/** Writes a register's tables into a folder of imports, in place of its earlier ones. */
export function putImport(
  folder: string,
  name: RegisterName,
  tables: RegisterTables,
  note: { imported: string; records: number },
): void {
  takeImport(folder, name);
  const { market, title, publisher, licence, url } = REGISTERS[name];
  const origin = [title, publisher, licence, url];
  if (tables.specs.length > 0) {
    writeTable(join(folder, `${name}.csv`), tables.specs);
    appendLine(join(folder, 'sources.csv'), SPEC_HEADER, [name, market, 'registered', 'all', ...origin]);
  }
  if (tables.approvals.length > 0) {
    mkdirSync(approvalsFolder(folder), { recursive: true });
    writeApprovals(join(approvalsFolder(folder), `${name}.csv`), tables.approvals);
    appendLine(join(approvalsFolder(folder), 'sources.csv'), APPROVAL_HEADER, [name, market, ...origin]);
  }
  appendLine(join(folder, LIST), LIST_HEADER, [name, title, note.imported, String(note.records)]);
}

/** Removes a register's tables from a folder of imports. */
export function takeImport(folder: string, name: string): void {
  for (const place of [folder, approvalsFolder(folder)]) {
    rmSync(join(place, `${name}.csv`), { force: true });
    for (const list of ['sources.csv', LIST]) dropLine(join(place, list), name);
  }
}

function writeApprovals(file: string, rows: readonly ApprovalRow[]): void {
  const columns = ['mask', 'make', 'model', 'bodies', ...APPROVAL_FIELDS] as const;
  const lines = rows.map((row) => csvLine(columns.map((name) => row[name])));
  writeFileSync(file, `${[columns.join(','), ...lines].join('\n')}\n`);
}

function appendLine(file: string, header: string, cells: readonly string[]): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : `${header}\n`;
  writeFileSync(file, `${before}${csvLine(cells)}\n`);
}

/** Removes a source's line; a list without lines goes. */
function dropLine(file: string, name: string): void {
  if (!existsSync(file)) return;
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const others = lines.filter((line) => !line.startsWith(`${name},`));
  if (others.length === 0) rmSync(file);
  else writeFileSync(file, `${[header, ...others].join('\n')}\n`);
}
