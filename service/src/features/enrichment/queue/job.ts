/** A VIN that one worker has claimed and looks up. */
export interface Job {
  vin: string;
  /** Names the lease. A worker that lost it changes nothing. */
  lockedBy: string;
}
