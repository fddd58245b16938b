export { linkOf, pageOf } from './guides/documents.ts';
export { answerUnknownPaths } from './not-found.ts';
