import type { RegisterEntry } from '../../sources/registers/register.ts';
import type { Families, FamilyName } from '../../sources/specs/names.ts';
import { mergeYears } from '../../sources/specs/write.ts';
import { maskFault, type ApprovalRow } from '../approvals/columns.ts';
import { faultOf, isSpecColumn, type SpecRow } from '../specs/columns.ts';
import { proportionFaults } from '../specs/proportions.ts';
import { OF_TYPE, settleApproval, VARYING } from './settle-approvals.ts';
import { type Counted, Tally } from './tally.ts';

/** More than any supported register has: refuse the file, which would fill the memory. */
const MOST_VARIANTS = 1_500_000;

/** The tables made from a register. */
export interface RegisterTables {
  specs: SpecRow[];
  approvals: ApprovalRow[];
}

/** Gathers the families and approved types of a register's entries, in bounded memory. */
export class Collector {
  readonly #families: Families;
  readonly #specs = new Tally();
  readonly #approvals = new Tally(VARYING.length);

  constructor(families: Families) {
    this.#families = families;
  }

  /** Takes an entry; else gives why not, in words. */
  add(entry: RegisterEntry): string | undefined {
    const families = this.#families.find(entry.make, entry.model);
    if (families.length === 0) return 'a make or model that no VIN is read as';
    const values = sane(entry.values);
    const masks = (entry.masks ?? []).filter((mask) => maskFault(mask) === undefined);
    if (entry.years === undefined && masks.length === 0) return maskFault(entry.masks?.[0] ?? '');
    const rows = families.map((family) => rowOf(family, entry, values));
    if (rows.some((row) => proportionFaults(row).length > 0)) return 'proportions that no vehicle has';
    for (const row of rows) this.#count(row, masks, entry);
    return undefined;
  }

  /** Returns the tables, of variants that enough vehicles have; undefined where there are too many of them. */
  tables(fewest: number): RegisterTables | undefined {
    const specs = read(this.#specs.atLeast(fewest), ({ key }) => JSON.parse(key) as SpecRow);
    const approvals = read(this.#approvals.atLeast(fewest), settleApproval);
    if (specs === undefined || approvals === undefined) return undefined;
    return { specs: mergeYears(specs), approvals: approvals.toSorted(compareApprovals) };
  }

  close(): void {
    this.#specs.close();
    this.#approvals.close();
  }

  #count(row: SpecRow, masks: readonly string[], entry: RegisterEntry): void {
    const { years, gearboxes = [], vehicles = 1, bodies = [] } = entry;
    if (years !== undefined) this.#specs.add(JSON.stringify(row), vehicles);
    for (const mask of masks) {
      // One row for each gearbox: only their common values are kept.
      for (const gearbox of gearboxes.length === 0 ? [row.gearbox ?? ''] : gearboxes) {
        const said = OF_TYPE.filter((name) => name !== 'gearbox' && row[name] !== undefined);
        const values = Object.fromEntries(said.map((name) => [name, row[name]]));
        const body = bodies.length === 0 ? {} : { bodies: bodies.join('|') };
        const box = gearbox === '' ? {} : { gearbox };
        const type = { mask, make: row.make, model: row.model, ...body, ...values, ...box };
        const varying = VARYING.map((name) => row[name]);
        this.#approvals.add(JSON.stringify(type), vehicles, varying);
      }
    }
  }
}

function read<Row>(found: Iterable<Counted>, rowOf: (counted: Counted) => Row): Row[] | undefined {
  const rows: Row[] = [];
  for (const counted of found) {
    if (rows.length >= MOST_VARIANTS) return undefined;
    rows.push(rowOf(counted));
  }
  return rows;
}

/** Converts an entry to a row of a family. */
function rowOf({ make, model }: FamilyName, entry: RegisterEntry, values: Partial<SpecRow>): SpecRow {
  const { from, to } = entry.years ?? { from: 0, to: 0 };
  return { make, model, from, to, ...values };
}

/** Orders rows so that the same file gives the same table, in any order of rows on the disk. */
function compareApprovals(a: ApprovalRow, b: ApprovalRow): number {
  if (a.mask !== b.mask) return a.mask < b.mask ? -1 : 1;
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/**
 * Returns the values that are within the bounds of their columns: a register's clerks also write 1 mm and 99,999 kg.
 */
export function sane(values: RegisterEntry['values']): Partial<SpecRow> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => isSpecColumn(name) && faultOf(name, String(value)) === undefined),
  );
}
