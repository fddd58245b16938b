export {
  REPORT_COLUMNS,
  REPORT_FILES,
  addedColumns,
  cellsOf,
  isNumberColumn,
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
export { SEGMENT_FIELDS, VehicleReport } from './schema.ts';
export { type Why, whyOf } from './why.ts';
