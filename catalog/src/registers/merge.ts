import type { SpecColumn } from '../specs/columns.ts';
import { SPEC_COLUMNS } from '../specs/columns.ts';
import type { ApprovalRow } from '../approvals/columns.ts';
import { isWord, PATTERN_FIELDS, type PatternField, sameValue } from './fields.ts';
import { type Agreement, type Pattern, settles } from './settle.ts';

/** A register's patterns, by its word. */
export interface Taught {
  register: string;
  patterns: readonly Pattern[];
}

/** A field of a pattern that two registers settle otherwise. */
export interface Disagreement {
  mask: string;
  field: PatternField;
  said: { register: string; value: string; cars: number }[];
}

/** What several registers teach together. */
export interface Merged {
  /** One row a pattern, with the registers that it is from. */
  rows: { row: ApprovalRow; registers: string[]; cars: number }[];
  /** The fields that stay open since registers disagree, those of most cars first. */
  disagreements: Disagreement[];
}

type Said = Agreement & { register: string };

/** Puts registers beside each other: cars that agree are counted together, and where registers disagree the field stays open. */
export function mergeRegisters(taught: readonly Taught[]): Merged {
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
    const row: ApprovalRow = { mask, make: '', model: '' };
    const registers = new Set<string>();
    for (const field of PATTERN_FIELDS) {
      const said = own.flatMap(({ register, pattern }): Said[] => {
        const agreement = pattern.fields.get(field);
        return agreement === undefined ? [] : [{ ...agreement, register }];
      });
      const outcome = together(field, said);
      if (outcome === 'disagree') merged.disagreements.push(disagreement(mask, field, said));
      else if (outcome !== undefined) {
        write(row, field, outcome.value);
        for (const { register, value } of said) if (sameValue(field, value, outcome.value)) registers.add(register);
      }
    }
    const cars = own.reduce((sum, { pattern }) => sum + pattern.cars, 0);
    if (registers.size > 0) merged.rows.push({ row, registers: [...registers].toSorted(), cars });
  }
  merged.disagreements.sort((a, b) => carsOf(b) - carsOf(a) || (a.mask < b.mask ? -1 : 1));
  return merged;
}

/** What registers say together of a field: undefined where too few cars say it. */
function together(field: PatternField, said: readonly Said[]): Agreement | 'disagree' | undefined {
  const settled = said.filter((one) => settles(field, one));
  const strongest = (settled.length > 0 ? settled : said).reduce<Said | undefined>(
    (best, next) => (best === undefined || next.agree > best.agree ? next : best),
    undefined,
  );
  if (strongest === undefined) return undefined;
  if (settled.some(({ value }) => !sameValue(field, value, strongest.value))) return 'disagree';
  const pooled = { value: strongest.value, agree: 0, against: 0 };
  for (const { value, agree, against } of said) {
    const same = sameValue(field, value, strongest.value);
    pooled.agree += same ? agree : 0;
    pooled.against += same ? against : agree + against;
  }
  return settles(field, pooled) ? pooled : undefined;
}

function disagreement(mask: string, field: PatternField, said: readonly Said[]): Disagreement {
  const settled = said.filter((one) => settles(field, one));
  return { mask, field, said: settled.map(({ register, value, agree }) => ({ register, value, cars: agree })) };
}

function carsOf({ said }: Disagreement): number {
  return said.reduce((sum, { cars }) => sum + cars, 0);
}

function write(row: ApprovalRow, field: PatternField, value: string): void {
  if (field === 'family') {
    const [make = '', model = ''] = value.split('|');
    Object.assign(row, { make, model });
  } else if (isWord(field) || SPEC_COLUMNS[field as SpecColumn].kind !== 'number')
    Object.assign(row, { [field]: value });
  else Object.assign(row, { [field]: Number(value) });
}
