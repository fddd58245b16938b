/** A code in a VIN mask that means any character; shared by the compiler and the decoder. */
export const MASK_ANY = 255;

/** Columns of words. */
export const APPROVAL_TEXTS = ['fuel', 'drive', 'gearbox', 'emissions'] as const;
/**
 * Prefixes of the tables' sections: types that were approved, and the common values of a register's cars that share a
 * mask.
 */
export type ApprovalSections = 'approvals' | 'registers';

/** Numeric columns, each 0 if the source has no value. */
export const APPROVAL_NUMBERS = [
  'cc',
  'cylinders',
  'powerKw',
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'curbKg',
  'grossKg',
] as const;

export type ApprovalNumber = (typeof APPROVAL_NUMBERS)[number];
