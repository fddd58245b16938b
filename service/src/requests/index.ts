export { RequestLog } from './request-log.ts';
