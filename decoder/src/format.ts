// What the compiler and the decoder agree on; for the compiler and its tests only.
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
