export { correctedDecoder, type CorrectedDecoder } from './corrected-decoder.ts';
export { isListField, isNumberField, OVERRIDABLE_FIELDS } from './fields.ts';
export { LiveOverrides } from './live-overrides.ts';
export { openCorrections, type CorrectionsDeps } from './open.ts';
export { scopeText } from './scope.ts';
export type {
  AcceptOutcome,
  Corrections,
  DecideOutcome,
  Decision,
  Page,
  Reporter,
  ReportQuery,
  Submission,
} from './store.ts';
export type * from './types.ts';
