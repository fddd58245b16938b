export { CatalogUnreachableError, fetchCatalog, type FetchOptions } from './fetch.ts';
export { readSharedCatalog } from './catalog/files.ts';
export { openCatalog, type OpenOptions } from './open.ts';
export { packagedCatalog } from './catalog/packaged.ts';
export { withOverlay } from './with-overlay.ts';
export type { CandidatesAnswer, EngineVariant, OpenField } from './candidates/candidates.ts';
export { HINT_NAMES, type HintName, type Hints, type HintsForm, readHints } from './candidates/hints.ts';
export { CatalogFormatError } from './catalog/container.ts';
export type { CatalogInfo, CatalogSource, Decoder } from './decoder.ts';
export type { SharedReport } from './decode/cached-report.ts';
export { CONFIGURATIONS, type Draft, emptyDraft } from './report/draft.ts';
export type { Confidence, Explanation, FieldEvidence, RowEvidence } from './report/explanation.ts';
export {
  BODY_STYLES,
  type BodyStyle,
  type Specs,
  type TechnicalSpecs,
  type ReportPath,
  type VehicleReport,
} from './report/report.ts';
export { writeReport } from './report/write-report.ts';
export type { CanadianQuery, CanadianSpec } from './specs/canadian.ts';
export type { VpicElement, VpicFacts, VpicMake, VpicModel, VpicNamed, VpicWmi } from './vpic/facts.ts';
export { vpicElementsOf, vpicRowsOf } from './vpic/from-report.ts';
export type { VpicRow } from './vpic/view.ts';
export { MISTAKE_KINDS, type MistakeKind } from './repair/mistakes.ts';
export type { Change } from './repair/search.ts';
export type { Suggestion } from './repair/suggest.ts';
export type { ReportField } from './report/field.ts';
export { REPORT_ENTRIES, REPORT_FIELDS } from './report/fields.ts';
export { VIN_CHARACTERS } from './vin/characters.ts';
export { checkDigitOf, hasValidCheckDigit, requiresCheckDigit } from './vin/check-digit.ts';
export { readVin, type VinForm } from './vin/form.ts';
export {
  fixedPositions,
  formatPattern,
  matchesPattern,
  parsePattern,
  type PositionSet,
  type VinPattern,
} from './vin/pattern.ts';
export { SQUISH_POSITIONS, squishOf } from './vin/squish.ts';
export { segmentsJson, segmentsOf, type VinSegments } from './vin/segments.ts';
export { FIRST_CODED_YEAR, isYearOfCode, YEAR_CODES, YEAR_CYCLE } from './vin/year-codes.ts';
