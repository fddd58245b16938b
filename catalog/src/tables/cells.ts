// Readers of one cell or one line: they load no parser of CSV and no detection of encodings.

export { isJsonLines, type JsonLine, jsonText, LongNumber, readJsonLine, VIN_FIELD, vinFieldOf } from './json-lines.ts';
export { LONGEST_TEXT, readVinAlone, readVinCell, vinWithin } from './vin/cell.ts';
export { isVinColumnName } from './vin/names.ts';
export { asNumberShown } from './vin/spreadsheet.ts';
