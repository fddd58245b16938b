export { addPages } from './routes.ts';
