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

const BASIC: ReadonlySet<string> = new Set(BASIC_FIELDS);

/** How deep a plan's answers go; undefined: a caller without a key. */
export function depthOf(plan: Plan | undefined): Depth {
  return plan === undefined || plan === 'free' ? 'basic' : 'full';
}

/** The report as a caller may see it: cut to the depth, and without fields that hold nothing. */
export function cutTo(depth: Depth, report: VehicleReport): Record<string, unknown> {
  if (depth === 'full') return withoutEmpty(report);
  const seen: Record<string, unknown> = {};
  for (const field of BASIC_FIELDS) seen[field] = report[field];
  return withoutEmpty(seen);
}

/** Metadata of an answer to a key with this plan. */
export interface PlanMetadata {
  plan: Plan;
  upgradeAvailable: boolean;
  premiumFieldsAvailable: number;
}

export function metadataFor(plan: Plan, report: VehicleReport): PlanMetadata {
  return { ...planMetadata(plan), premiumFieldsAvailable: premiumFields(report) };
}

/** What the metadata says of the plan alone. */
export function planMetadata(plan: Plan): Omit<PlanMetadata, 'premiumFieldsAvailable'> {
  return { plan, upgradeAvailable: plan !== PLANS.at(-1) };
}

/** How many fields beyond the basic ones have a value. */
export function premiumFields(report: VehicleReport): number {
  let count = 0;
  for (const [field, value] of Object.entries(report)) if (!BASIC.has(field)) count += leaves(value);
  return count;
}

function withoutEmpty(fields: object): Record<string, unknown> {
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

/** Leaves that hold something. A list counts as one leaf: it is one field of the answer. */
function leaves(value: unknown): number {
  if (isFields(value)) return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0);
  return isEmpty(value) ? 0 : 1;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
