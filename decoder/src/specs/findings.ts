import type { SpecField, SpecFieldRule } from '../report/fields.ts';
import type { RowEvidence } from '../report/explanation.ts';
import type { SpecBasis, SpecMarket, SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

/** One value that the tables decide, with its origin. */
export interface SpecAnswer {
  field: SpecField;
  /** The field's path in the report. */
  path: string;
  value: string | number;
  /** Title of the source. */
  source: string;
  basis: SpecBasis;
  market: SpecMarket;
  /** The number of variants that the VIN allows, all of which agree. */
  variants: number;
}

/**
 * The source of codes for the driven wheels and the gearbox: the makers' keys to their VINs, as submitted under 49 CFR
 * 565.
 */
const KEYS_TO_VINS = "The makers' keys to their VINs";

/**
 * The values that tables decided for one vehicle, with the table and the number of variants behind each. Reused from
 * VIN to VIN.
 */
export class Findings {
  count = 0;
  readonly rules: SpecFieldRule[] = [];
  readonly values: (string | number)[] = [];
  /** undefined: the makers' keys to their VINs. */
  readonly tables: (SpecTable | undefined)[] = [];
  /** The number of variants that the VIN allows, all of which agree. */
  readonly variants: number[] = [];
  /** Open fields, a bit for each: those that the vehicle's own characters did not decide. */
  open = 0;
  /** Fields that a table had values of: another could only repeat it, or contradict it unheard. */
  decided = 0;

  clear(open: number): void {
    this.count = 0;
    this.open = open;
    this.decided = 0;
  }

  add(rule: SpecFieldRule, value: string | number, table: SpecTable | undefined, variants: number): void {
    const at = this.count++;
    this.rules[at] = rule;
    this.values[at] = value;
    this.tables[at] = table;
    this.variants[at] = variants;
  }

  /** Returns the value that was found for a field; undefined where none was. */
  of(field: SpecField): string | number | undefined {
    for (let at = 0; at < this.count; at++) if (this.rules[at]?.field === field) return this.values[at];
    return undefined;
  }
}

/** Returns the findings, each with where it is from. */
export function answersIn(found: Findings, market: SpecMarket): SpecAnswer[] {
  return Array.from({ length: found.count }, (_, at): SpecAnswer => {
    const { field, path } = found.rules[at] as SpecFieldRule;
    const table = found.tables[at];
    const basis = table !== undefined && field === 'curbWeightKg' && table.estimatesWeight ? 'estimated' : table?.basis;
    return {
      field,
      path,
      value: found.values[at] ?? '',
      source: table?.title ?? KEYS_TO_VINS,
      basis: basis ?? 'registered',
      market,
      variants: found.variants[at] ?? 1,
    };
  });
}

/** Variants that a row of evidence counts, at most. */
const MOST_VARIANTS = 2 ** 16;

/**
 * Returns a table and how many variants of it agree as the row of a claim; without a table, of the makers' keys to
 * their VINs.
 */
export function rowOfTable({ tables }: SpecTables, table: SpecTable | undefined, variants: number): number {
  const place = table === undefined ? tables.length : table.place;
  return place * MOST_VARIANTS + Math.min(variants, MOST_VARIANTS - 1);
}

/** Returns the evidence of a claim by the row of a table. */
export function describeTable({ tables }: SpecTables, row: number, field: string, value: string): RowEvidence {
  const table = tables[Math.floor(row / MOST_VARIANTS)];
  const variants = row % MOST_VARIANTS;
  const allowed = variants === 1 ? 'the one variant' : `all ${variants} variants`;
  const basis =
    field === 'curbWeightKg' && table?.estimatesWeight === true ? 'estimated' : (table?.basis ?? 'registered');
  return {
    value,
    source: table?.title ?? KEYS_TO_VINS,
    row: `${allowed} that the VIN allows, ${basis}, ${table?.market ?? 'north-america'}`,
    positions: [],
    confidence: 'B',
  };
}
