/** What the compiler and the decoder agree on about type approvals: this code in a VIN mask means any character. */
export const MASK_ANY = 255;

/** Columns of words. */
export const APPROVAL_TEXTS = ['fuel', 'drive', 'gearbox', 'emissions'] as const;
/** Where the tables stand: types that were approved, and what the cars of a register that share a mask agree on. */
export type ApprovalSections = 'approvals' | 'registers';

/** Columns of numbers, each 0 where the source says nothing. */
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
