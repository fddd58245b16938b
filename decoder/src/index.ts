export { openCatalog, type OpenOptions } from './catalog/open.ts';
export { CatalogFormatError } from './catalog/container.ts';
export type { CatalogInfo, Decoder } from './decode/decoder.ts';
export type { Confidence, Explanation, FieldEvidence, RowEvidence } from './decode/explanation.ts';
export { BODY_STYLES, type BodyStyle, type Specs, type TechnicalSpecs, type VehicleReport } from './decode/report.ts';
export { checkDigitOf, hasValidCheckDigit, requiresCheckDigit } from './vin/check-digit.ts';
export { readVin, type VinForm } from './vin/form.ts';
export { segmentsOf, type VinSegments } from './vin/segments.ts';
