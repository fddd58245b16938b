/** A VIN that one holder has claimed and looks up. */
export interface Job {
  vin: string;
  /** Names the claim. Whoever does not hold it any longer changes nothing. */
  holder: string;
}
