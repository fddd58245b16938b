// The formats shared by the compiler and the decoder; for the compiler and its tests only.
export { APPROVAL_NUMBERS, APPROVAL_TEXTS, MASK_ANY, type ApprovalSections } from './approvals/columns.ts';
export { positionSections } from './decode/positions.ts';
export { openApprovals } from './approvals/open-approvals.ts';
export { SPEC_TABLE_COLUMNS } from './report/spec-columns.ts';
export { couldBeBody, couldBeFuel } from './specs/fits.ts';
export { type JoinSpecs, type KnownOfCar, openSpecs } from './specs/open-specs.ts';
export { SPEC_FLAGS, SPEC_KINDS, SPEC_MARKETS, type SpecKind, type SpecMarket } from './specs/table.ts';
export { type DriveName, DriveNames } from './specs/drive-names.ts';
export { type BadgeRewrite, type FuelName, NameRules } from './settle/name-rules.ts';
export { CatalogFormatError, Container, FORMAT_VERSION, writeContainer } from './catalog/container.ts';
export { SEAL_MARK } from './catalog/seal.ts';
export { OVERLAY } from './with-overlay.ts';
export { isReadByVpic } from './marque-decoder.ts';
export {
  CHECK_DIGIT_CONDITIONS,
  CHECK_DIGIT_RULES,
  CONFIDENCES,
  NUMERIC_WORLD_FIELDS,
  OPEN_FROM,
  OPEN_TO,
  TENTHS,
  WORLD_FIELDS,
  type WorldField,
  YEAR_RULES,
} from './report/world-fields.ts';
export { MOST_FACTS } from './world/reading.ts';
export { ELEMENT, ELEMENTS, MULTI_VALUED_ELEMENTS, NUMBER_ELEMENTS } from './vpic-elements.ts';
export { DIGITS_OF_VIN, OPEN_YEAR } from './vpic/tables.ts';
export { openWorld, type PlainReading } from './world/open-world.ts';
