/** Numbers of vPIC's elements that the catalog and the decoder treat by name; vPIC's own numbering. */
export const ELEMENT = {
  cab: 4,
  body: 5,
  cylinders: 9,
  displacementCc: 11,
  displacementCi: 12,
  displacementL: 13,
  doors: 14,
  drive: 15,
  engineModel: 18,
  powerKw: 21,
  fuel: 24,
  weightClass: 25,
  make: 26,
  manufacturer: 27,
  model: 28,
  modelYear: 29,
  city: 31,
  series: 34,
  transmission: 37,
  trim: 38,
  vehicleType: 39,
  curbWeightLb: 54,
  batteryKwh: 59,
  speeds: 63,
  configuration: 64,
  secondFuel: 66,
  powerHp: 71,
  country: 75,
  state: 77,
  wheelbaseInches: 111,
  wheelbaseInchesTo: 112,
  powerHpTo: 125,
  electrification: 126,
  batteryKwhTo: 134,
  turbo: 135,
  suggestedVin: 142,
  errorCode: 143,
  possibleValues: 144,
  additionalErrorText: 156,
  errorText: 191,
  descriptor: 196,
} as const;

/** One more than the highest number that an element may have in the catalog. */
export const ELEMENTS = 256;

/** Elements whose values the decoder reads as numbers; the catalog has them in `clean.number.*`. */
export const NUMBER_ELEMENTS = [
  ELEMENT.cylinders,
  ELEMENT.displacementCc,
  ELEMENT.displacementCi,
  ELEMENT.displacementL,
  ELEMENT.doors,
  ELEMENT.powerKw,
  ELEMENT.curbWeightLb,
  ELEMENT.batteryKwh,
  ELEMENT.speeds,
  ELEMENT.powerHp,
  ELEMENT.wheelbaseInches,
  ELEMENT.wheelbaseInchesTo,
  ELEMENT.powerHpTo,
  ELEMENT.batteryKwhTo,
] as const;

/** Elements of which a vehicle may have several values (docs/vpic-procedures.md 1.4.7). */
export const MULTI_VALUED_ELEMENTS = [114, 121, 129, 150, 154, 155, 169, 186] as const;
