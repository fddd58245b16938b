import type { VehicleReport } from '@marque/decoder';

import { type Plan, PLANS } from '../db/index.ts';

/** `basic`: the nine identifying fields. `full`: everything that is known. */
export type Depth = 'basic' | 'full';

/** What anyone sees, with or without a key. */
const BASIC_FIELDS = [
  'vin',
  'wmi',
  'vds',
  'manufacturer',
  'model',
  'bodyStyle',
  'bodyStyleNormalized',
  'modelYear',
  'region',
] as const satisfies readonly (keyof VehicleReport)[];

/** How deep a plan's answers go; undefined: a caller without a key. */
export function depthOf(plan: Plan | undefined): Depth {
  return plan === undefined || plan === 'free' ? 'basic' : 'full';
}

/** The report as a caller may see it: cut to the depth, and without fields that hold nothing. */
export function cutTo(depth: Depth, report: VehicleReport): Record<string, unknown> {
  const seen = depth === 'full' ? Object.keys(report) : BASIC_FIELDS;
  const values: Record<string, unknown> = { ...report };
  return withoutEmpty(Object.fromEntries(seen.map((field) => [field, values[field]])));
}

/** Metadata of an answer to a key with this plan. */
export interface PlanMetadata {
  plan: Plan;
  upgradeAvailable: boolean;
  premiumFieldsAvailable: number;
}

export function metadataFor(plan: Plan, report: VehicleReport): PlanMetadata {
  return {
    plan,
    upgradeAvailable: plan !== PLANS.at(-1),
    premiumFieldsAvailable: leaves(withoutEmpty({ ...report })) - leaves(cutTo('basic', report)),
  };
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    const tidied = isFields(value) ? withoutEmpty(value) : value;
    if (!isEmpty(tidied)) kept[field] = tidied;
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

/** A list counts as one leaf: it is one field of the answer. */
function leaves(fields: Record<string, unknown>): number {
  return Object.values(fields).reduce<number>((sum, value) => sum + (isFields(value) ? leaves(value) : 1), 0);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
