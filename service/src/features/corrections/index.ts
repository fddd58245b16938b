export { flatten } from './apply.ts';
export { correctedDecoder, type CorrectedDecoder } from './corrected-decoder.ts';
export { isListField, isNumberField } from './fields.ts';
export { LiveOverrides } from './live-overrides.ts';
export { openCorrections } from './open.ts';
export { scopeText } from './scope.ts';
export type { AcceptOutcome, Corrections, DecideOutcome, Decision, Reporter } from './store.ts';
export type * from './types.ts';
