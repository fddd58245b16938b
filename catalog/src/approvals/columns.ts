import { BODY_STYLES } from '@marque/decoder';

import { faultOf, type SPEC_COLUMNS, type SpecRow } from '../specs/columns.ts';

/** Columns that a table of type approvals may have for matching vehicles; checked as the columns of facts/specs are. */
export const APPROVAL_FIELDS = [
  'fuel',
  'cc',
  'cylinders',
  'drive',
  'gearbox',
  'emissions',
  'powerKw',
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'curbKg',
  'grossKg',
] as const satisfies readonly (keyof typeof SPEC_COLUMNS)[];

export type ApprovalField = (typeof APPROVAL_FIELDS)[number];

/** One type or variant that a source gives for a mask; an absent value is unknown. */
export type ApprovalRow = {
  mask: string;
  make: string;
  model: string;
  /** The bodies that the source's word may mean, joined by "|"; the VIN may decide between them. */
  bodies?: string;
  /** For registers: the range of the model year, as "2004-2005". */
  years?: string;
  /** For registers: the numbers at positions 13 to 17 that the row covers, as "89617-94628"; all if absent. */
  serials?: string;
} & Partial<Pick<SpecRow, ApprovalField>>;

const FORM = /^[A-HJ-NPR-Z0-9]{3}[A-HJ-NPR-Z0-9.]{14}$/;
/** Positions 4 to 9, where makers describe the vehicle. */
const DESCRIPTOR = [3, 9] as const;
/** Fewer fixed positions there, fillers not counted, would take in other models of the maker. */
const LEAST_FIXED = 2;

/** Returns the fault of a column's value, in words; undefined: none. */
export function columnFault(name: string, value: string): string | undefined {
  if (name === 'mask') return maskFault(value);
  if (name === 'bodies') {
    const strange = value.split('|').find((body) => !BODY_STYLES.some((style) => style === body));
    return strange === undefined ? undefined : `"${strange}" is no body`;
  }
  return isApprovalField(name) ? faultOf(name, value) : undefined;
}

export function isApprovalField(name: string): name is ApprovalField {
  return APPROVAL_FIELDS.some((known) => known === name);
}

/** Returns the fault of a mask, in words; undefined: none. */
export function maskFault(mask: string): string | undefined {
  if (!FORM.test(mask)) return 'a VIN pattern that is not 17 characters and dots after a maker';
  const fixed = mask.slice(...DESCRIPTOR).replaceAll(/[.Z]/g, '');
  return fixed.length < LEAST_FIXED ? 'a VIN pattern that fixes too little to tell a model' : undefined;
}

/** Returns a VIN of a pattern: open positions are filled as makers fill them. */
export function vinOf({ mask, serials = '00001' }: Pick<ApprovalRow, 'mask' | 'serials'>): string {
  const check = mask.startsWith('ZZZ', 3) ? 'Z' : '0';
  const filler = `00000000${check}000${serials.slice(0, 5)}`;
  return mask.replaceAll('.', (_, at: number) => filler.charAt(at));
}
