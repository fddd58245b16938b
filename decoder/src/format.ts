// What the compiler and the decoder agree on; for the compiler and its tests only.
export { MASK_ANY, MASK_NUMBERS } from './masks/columns.ts';
export { openMasks } from './masks/open-masks.ts';
export { SPEC_TABLE_COLUMNS } from './specs/columns.ts';
export { type JoinSpecs, openSpecs, type SaidOfCar } from './specs/open-specs.ts';
export { SPEC_MARKETS, type SpecMarket } from './specs/tables.ts';
export { CatalogFormatError, Container, FORMAT_VERSION, writeContainer } from './catalog/container.ts';
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
} from './world/fields.ts';
export { openWorld, type PlainReading } from './world/open-world.ts';
