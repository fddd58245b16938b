export { flatten } from './apply.ts';
export { correctedDecoder, type CorrectedDecoder } from './corrected-decoder.ts';
export { isListField, isNumberField } from './fields.ts';
export { changesBetween, survey, type SurveyDeps } from './impact.ts';
export { labelledByCorrections } from './labelled-cars.ts';
export { LiveOverrides } from './live-overrides.ts';
export { type Corrections, openCorrections } from './open.ts';
export { scopeText } from './scope.ts';
export type * from './types.ts';
