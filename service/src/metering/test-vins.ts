/**
 * VINs that a test key gets a fixed outcome for. ISO 3780 assigns region 0 to no country: no vehicle has one of these.
 * What is unknown or ambiguous needs no special treatment, and is documented beside them (`docs/api.md`).
 */
export const TEST_VINS = {
  /** Is looked up outside for good: 202 each time. */
  pending: '0TESTPEND1NG00001',
  /** The month's limit is reached: 429 each time. */
  exhausted: '0TESTEXHAUSTED001',
} as const;
