/** A VIN that one worker has claimed and looks up. */
export interface Job {
  vin: string;
  /** Names the lease. Whoever does not hold it any longer changes nothing. */
  lockedBy: string;
}
