export {
  type CsvBounds,
  type CsvForm,
  csvFormOf,
  csvFormSteps,
  csvRows,
  resultDelimiter,
  type Row,
  tooLongRow,
} from './csv.ts';
export { type CsvPiece, csvPieces, rowsOfPiece } from './csv-pieces.ts';
export { type RowSpan, spansOfPiece } from './csv-spans.ts';
export {
  decodeText,
  type Encoding,
  encodingNamed,
  encodingOf,
  decodeSteps,
  encodingSteps,
  guess,
  markedEncoding,
  unusualLines,
} from './encoding/encoding.ts';
export { kindOfFile } from './file-kind.ts';
export { findLayout, type Layout, layoutSteps, LOOKED_AT, type TableLayout } from './layout.ts';
export { StepLength, type Steps } from './steps.ts';
export { TableError } from './table-error.ts';
export * from './cells.ts';
