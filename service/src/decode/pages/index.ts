export { AnswerRegion, DecodeAnswer, DecodePartAnswer, Details, FaultText, type DecodeView } from './decode-answer.tsx';
export { DecodeForm } from './decode-form.tsx';
export { canSuggest, viewOf } from './decode-view.ts';
export { Actions, Corrected, CorrectedFrom } from './decode-views.tsx';
export { engineIn } from './engine-choice.tsx';
