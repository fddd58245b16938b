export type { VinPattern, WorldOutputs, WorldProfile, WorldRow, YearRule } from './world/model.ts';
