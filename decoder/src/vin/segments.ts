/** The parts of a VIN that ISO 3779 and 49 CFR 565 name. */
export interface VinSegments {
  wmi: string;
  vds: string;
  vis: string;
  checkDigit: string;
  yearCode: string;
  plantCode: string;
  /** Positions 12-17, or 15-17 for a maker of fewer than 500 (1,000) vehicles a year, whose third character is 9. */
  serialNumber: string;
}

/** Cuts a well-formed VIN into its parts. */
export function segmentsOf(vin: string): VinSegments {
  return {
    wmi: vin.slice(0, 3),
    vds: vin.slice(3, 9),
    vis: vin.slice(9),
    checkDigit: vin.charAt(8),
    yearCode: vin.charAt(9),
    plantCode: vin.charAt(10),
    serialNumber: vin.slice(vin.charAt(2) === '9' ? 14 : 11),
  };
}

/**
 * Returns the beginning of each report's JSON, up to what VINs share: `writeReport` writes the VIN and its segments
 * first. A VIN needs no escapes.
 */
export function segmentsJson(vin: string): string {
  const { wmi, vds, vis, checkDigit, yearCode, plantCode, serialNumber } = segmentsOf(vin);
  return `{"vin":"${vin}","wmi":"${wmi}","vds":"${vds}","vis":"${vis}","checkDigit":"${checkDigit}","yearCode":"${yearCode}","plantCode":"${plantCode}","serialNumber":"${serialNumber}"`;
}
