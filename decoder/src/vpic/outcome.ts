import type { CycleBasis } from './cycle.ts';
import type { Faults } from './errors.ts';
import type { Pass } from './pass.ts';

/**
 * The decode of a VIN with vPIC's tables. Its passes are in the caller's scratch, and valid until the scratch is used
 * again.
 */
export interface VpicDecode {
  pass: Pass;
  /** False when the model year may be 30 years off. */
  conclusive: boolean;
  /** The model year may be 30 years off and no model is named: what depends on the year does not count. */
  contested?: boolean;
  /** The evidence for one of the two years that position 10 may mean. */
  basis?: CycleBasis;
  /** The same VIN in the other year, if nothing decides between the two. */
  other?: Pass;
  /** Worked out already when two passes had to be compared; else when asked for. */
  faults: Faults | undefined;
}
