import type { VehicleReport } from '@marque/decoder';
import { type Static, type TSchema, Type } from 'typebox';

import { isRecord } from '../kernel/records.ts';
import type { DecodeMetadata } from './schemas.ts';
import { SEGMENT_FIELDS, VehicleReport as VehicleReportSchema } from '../report/index.ts';
import { type Plan, PLANS } from '../workspaces/index.ts';

/** `basic`: the nine identifying fields. `full`: everything that is known. */
export type Depth = 'basic' | 'full';

/** The fields that anyone sees, with or without a key. */
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

/** Returns the depth of a plan's answers; undefined: a caller without a key. */
export function depthOf(plan: Plan | undefined): Depth {
  return plan === undefined || plan === 'free' ? 'basic' : 'full';
}

/** A field of an answer, and the fields within it where it is a group. */
interface Listed {
  name: string;
  within: readonly Listed[] | undefined;
}

/**
 * The fields that an answer of each depth may have, in its order. The response schema is the list: nothing else gets
 * out.
 */
const LISTED = listedIn(VehicleReportSchema);
const BASIC = LISTED.filter(({ name }) => isBasic(name));
/**
 * The vehicle's fields that a plan adds. The VIN's own segments and its form disclose nothing that the caller does not
 * have.
 */
const PREMIUM = LISTED.filter(({ name }) => !isBasic(name) && !SEGMENT_FIELDS.has(name));

/** Returns the report as a caller may see it: cut to the depth, and without empty fields. */
export function project(depth: Depth, report: VehicleReport): Record<string, unknown> {
  return valuesOf(depth === 'full' ? LISTED : BASIC, report);
}

/** Returns the metadata of an answer to a key with this plan. */
export function metadataFor(plan: Plan, report: VehicleReport): Static<typeof DecodeMetadata> {
  return { ...planMetadata(plan), premiumFieldsAvailable: premiumFields(report) };
}

/** Returns the metadata of the plan alone. */
export function planMetadata(plan: Plan): Omit<Static<typeof DecodeMetadata>, 'premiumFieldsAvailable'> {
  return { plan, upgradeAvailable: plan !== PLANS.at(-1) };
}

/** Counts the vehicle's values beyond the basic fields. */
export function premiumFields(report: VehicleReport): number {
  return leavesOf(PREMIUM, report);
}

/** Returns the paths of the values that the vehicle has beyond the basic fields. */
export function premiumPaths(report: VehicleReport): string[] {
  return pathsOf(PREMIUM, report);
}

function pathsOf(listed: readonly Listed[], fields: unknown): string[] {
  if (!isRecord(fields)) return [];
  return listed.flatMap(({ name, within }) => {
    if (within !== undefined) return pathsOf(within, fields[name]).map((path) => `${name}.${path}`);
    return isEmpty(fields[name]) ? [] : [name];
  });
}

/** Returns the listed fields that have a value. Plain loops and no copies: this runs for every decode. */
function valuesOf(listed: readonly Listed[], fields: unknown): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  if (!isRecord(fields)) return kept;
  for (const { name, within } of listed) {
    const value = within === undefined ? fields[name] : groupOf(within, fields[name]);
    if (!isEmpty(value)) kept[name] = value;
  }
  return kept;
}

/** Returns the listed fields of a group; undefined if none has a value. */
function groupOf(within: readonly Listed[], group: unknown): Record<string, unknown> | undefined {
  if (group === undefined) return undefined;
  const kept = valuesOf(within, group);
  for (const _ in kept) return kept;
  return undefined;
}

/** Counts the listed fields that have a value. A list counts as one: it is one field of the answer. */
function leavesOf(listed: readonly Listed[], fields: unknown): number {
  let leaves = 0;
  if (!isRecord(fields)) return leaves;
  for (const { name, within } of listed) {
    if (within !== undefined) leaves += leavesOf(within, fields[name]);
    else if (!isEmpty(fields[name])) leaves++;
  }
  return leaves;
}

function listedIn(schema: { properties: Record<string, TSchema> }): Listed[] {
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    within: Type.IsObject(property) ? listedIn(property) : undefined,
  }));
}

/** Returns true if anyone sees the field, with or without a key. */
export function isBasic(name: string): boolean {
  return BASIC_FIELDS.some((basic) => basic === name);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
