/** What the compiler and the decoder agree on about masks: this code stands for any character. */
export const MASK_ANY = 255;

/** Columns of numbers, each 0 where the source says nothing. */
export const MASK_NUMBERS = [
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

export type MaskNumber = (typeof MASK_NUMBERS)[number];
