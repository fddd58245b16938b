import type { Migration } from '../migrate.ts';
import { start } from './0001-start/index.ts';

/** Every migration, oldest first. A migration's number is its place here, counted from 1. */
export const migrations: readonly Migration[] = [start];
