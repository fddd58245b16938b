export { answerUnknownPaths } from './not-found.ts';
