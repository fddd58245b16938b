export { changeLines, printed, withCorrections } from './open.ts';
