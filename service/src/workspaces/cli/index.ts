export { openWorkspaceNamed, workspaceNamed } from './named.ts';
