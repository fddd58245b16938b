/** NHTSA's numbers of the variables that are treated specially. */
export const VARIABLE = {
  bodyClass: 5,
  make: 26,
  manufacturer: 27,
  model: 28,
  modelYear: 29,
  suggestedVin: 142,
  errorCode: 143,
  possibleValues: 144,
  additionalErrorText: 156,
  errorText: 191,
  descriptor: 196,
} as const;
