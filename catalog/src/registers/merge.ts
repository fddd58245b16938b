import type { SpecColumn } from '../specs/columns.ts';
import { SPEC_COLUMNS } from '../specs/columns.ts';
import type { ApprovalRow } from '../approvals/columns.ts';
import { isWord, PATTERN_FIELDS, type PatternField, sameValue, yearsOf, yearsText } from './fields.ts';
import { SERIALS } from './pattern.ts';
import { type Agreement, type Pattern, settles } from './settle.ts';

/** A register's patterns, by its word. */
export interface RegisterPatterns {
  register: string;
  patterns: readonly Pattern[];
}

/** A field of a pattern on which two registers differ. */
export interface Disagreement {
  mask: string;
  field: PatternField;
  said: { register: string; value: string; cars: number }[];
}

/** The merged patterns of several registers. */
export interface Merged {
  /** One row a pattern, with the registers that it is from. */
  rows: { row: ApprovalRow; registers: string[]; cars: number }[];
  /** The fields that stay open since registers disagree, those of most cars first. */
  disagreements: Disagreement[];
}

const MASK_LENGTH = 17;

type Said = Agreement & { register: string };

/**
 * Puts registers beside each other: cars that agree are counted together, and where registers disagree the field stays
 * open.
 */
export function mergeRegisters(taught: readonly RegisterPatterns[]): Merged {
  const byMask = new Map<string, { register: string; pattern: Pattern }[]>();
  for (const { register, patterns } of taught) {
    for (const pattern of patterns) {
      const known = byMask.get(pattern.mask);
      if (known === undefined) byMask.set(pattern.mask, [{ register, pattern }]);
      else known.push({ register, pattern });
    }
  }
  const merged: Merged = { rows: [], disagreements: [] };
  for (const [mask, own] of byMask) {
    const row = rowOf(mask);
    const registers = new Set<string>();
    for (const field of PATTERN_FIELDS) {
      const said = own.flatMap(({ register, pattern }): Said[] => {
        const agreement = pattern.fields.get(field);
        return agreement === undefined ? [] : [{ ...agreement, register }];
      });
      const outcome = together(field, said);
      if (outcome === 'disagree') merged.disagreements.push(disagreement(mask, field, said));
      if (outcome === 'disagree' || outcome === undefined) continue;
      write(row, field, outcome.value);
      const agreeing = said.filter(({ value }) => sameValue(field, value, outcome.value));
      for (const { register } of agreeing) registers.add(register);
    }
    const cars = own.reduce((sum, { pattern }) => sum + pattern.cars, 0);
    if (registers.size > 0) merged.rows.push({ row, registers: [...registers].toSorted(), cars });
  }
  merged.disagreements.sort((a, b) => carsOf(b) - carsOf(a) || (a.mask < b.mask ? -1 : 1));
  return merged;
}

function rowOf(pattern: string): ApprovalRow {
  const [mask = '', serials] = pattern.split(SERIALS);
  const row: ApprovalRow = { mask: mask.padEnd(MASK_LENGTH, '.'), make: '', model: '' };
  return serials === undefined ? row : { ...row, serials };
}

/** Merges the registers' values of a field: undefined if too few cars have one. */
function together(field: PatternField, said: readonly Said[]): Agreement | 'disagree' | undefined {
  const settled = said.filter((one) => settles(field, one));
  const strongest = (settled.length > 0 ? settled : said).reduce<Said | undefined>(
    (best, next) => (best === undefined || next.agree > best.agree ? next : best),
    undefined,
  );
  if (strongest === undefined) return undefined;
  if (settled.some(({ value }) => !sameValue(field, value, strongest.value))) return 'disagree';
  const same = said.filter(({ value }) => sameValue(field, value, strongest.value));
  const value = field === 'years' ? spanOf(same) : strongest.value;
  const agree = same.reduce((sum, one) => sum + one.agree, 0);
  const all = said.reduce((sum, one) => sum + one.agree + one.against, 0);
  const pooled = { value, agree, against: all - agree };
  return settles(field, pooled) ? pooled : undefined;
}

/** Returns the span of years. Each register has seen some of the years in which such cars were built. */
function spanOf(said: readonly Said[]): string {
  const years = said.map(({ value }) => yearsOf(value));
  return yearsText({ from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) });
}

function disagreement(mask: string, field: PatternField, said: readonly Said[]): Disagreement {
  const settled = said.filter((one) => settles(field, one));
  return { mask, field, said: settled.map(({ register, value, agree }) => ({ register, value, cars: agree })) };
}

function carsOf({ said }: Disagreement): number {
  return said.reduce((sum, { cars }) => sum + cars, 0);
}

function write(row: ApprovalRow, field: PatternField, value: string): void {
  if (field === 'built') row.years = value;
  else if (field === 'family') {
    const [make = '', model = ''] = value.split('|');
    Object.assign(row, { make, model });
  } else if (isWord(field) || SPEC_COLUMNS[field as SpecColumn].kind !== 'number')
    Object.assign(row, { [field]: value });
  else Object.assign(row, { [field]: Number(value) });
}
