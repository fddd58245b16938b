/** What a VIN may be made of (ISO 3779). */
const CHARACTERS = /^[A-HJ-NPR-Z0-9]+$/;
/** As much of a VIN as registers publish: without the plant, with it, or all of it. */
const LENGTHS: ReadonlySet<number> = new Set([10, 11, 17]);
const WHOLE = 17;
/** Positions 4 to 8 with no more than the maker's filler describe no vehicle. */
const DESCRIPTOR = [3, 8] as const;
const FEWEST_DESCRIBED = 2;

/** A VIN, or what a register gives of one, as a pattern. */
export interface VinPattern {
  /** 17 characters, "." for the check digit, the serial number and what the register leaves out. */
  mask: string;
  /** The whole VIN, where the register gives it: so a car that comes twice is known. */
  whole: string | undefined;
}

/** The pattern of a VIN; else why it is none, in words. */
export function patternOf(text: string): VinPattern | string {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (vin === '') return 'no VIN';
  if (!LENGTHS.has(vin.length)) return 'a VIN of neither 10, 11 nor 17 characters';
  if (!CHARACTERS.test(vin)) return 'a VIN with characters that no VIN has';
  if (vin.slice(...DESCRIPTOR).replaceAll(/Z/g, '').length < FEWEST_DESCRIBED) return 'a VIN that describes no vehicle';
  return {
    mask: `${vin.slice(0, 8)}.${vin.slice(9, 11)}`.padEnd(WHOLE, '.'),
    whole: vin.length === WHOLE ? vin : undefined,
  };
}
