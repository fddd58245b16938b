export {
  REPORT_COLUMNS,
  REPORT_FILES,
  SEGMENT_FIELDS,
  VARYING_SEGMENTS,
  addedColumns,
  cellsOf,
  lineWriter,
  plainCellsOf,
  sendReportFile,
  sharedLineWriter,
} from './cells.ts';
export {
  FIELDS,
  bodyText,
  fieldLabel,
  fieldsInWords,
  titleDetails,
  titleLine,
  type ReportRow,
  vehicleTitle,
} from './report-rows.ts';
export { ruleSetText } from './rule-set.ts';
export { VehicleReport } from './schema.ts';
export { type Why, whyOf } from './why.ts';
