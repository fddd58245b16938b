export { workspaceNamed } from './named.ts';
