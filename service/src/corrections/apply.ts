import { emptyDraft, type VehicleReport, writeReport } from '@marque/decoder';

import { isRecord, valueAt } from '../kernel/records.ts';
import type { FieldValue, OverrideFields } from './types.ts';

/** A report as nested fields. */
type Fields = Record<string, unknown>;

/**
 * Returns the report with the fields of an override set or removed. The report passed in is not changed.
 *
 * A known body style excludes the other possible ones, so `possibleBodyStyles` is removed unless the override sets it.
 * A report without a make afterwards is the VIN's parsing only.
 */
export function applyFields(report: VehicleReport, fields: OverrideFields): VehicleReport {
  const changed: VehicleReport & Fields = { ...report };
  if (typeof fields['bodyStyle'] === 'string') delete changed.possibleBodyStyles;
  for (const [path, value] of Object.entries(fields)) {
    const [group = '', name] = path.split('.');
    if (name === undefined) setField(changed, group, value);
    else setField(changed, group, withField(changed[group], name, value));
  }
  if (changed.manufacturer === undefined) return writeReport(changed.vin, changed.region ?? '', emptyDraft());
  return changed;
}

/** Returns the value at a path of a report, as text; undefined: none. Lists are joined by commas. */
export function textAt(report: object, path: string): string | undefined {
  const value = valueAt(report, path);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Paths and texts of every field of a report. */
export function flatten(report: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(report).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (isRecord(value)) return flatten(value, `${prefix}${name}.`);
    const text = textAt(report, name);
    return text === undefined ? [] : [[prefix + name, text]];
  });
}

/** Returns the fields of several overrides combined: the first one takes precedence, then the second, and so on. */
export function mergeFields(strongestFirst: readonly OverrideFields[]): OverrideFields {
  const merged: Record<string, FieldValue | null> = {};
  for (const fields of strongestFirst.toReversed()) Object.assign(merged, fields);
  return merged;
}

/** Returns a group with one field changed; null: nothing is left in it. */
function withField(group: unknown, name: string, value: FieldValue | null): Fields | null {
  const fields: Fields = isRecord(group) ? { ...group } : {};
  setField(fields, name, value);
  return Object.keys(fields).length === 0 ? null : fields;
}

function setField(fields: Fields, name: string, value: unknown): void {
  if (value === null) delete fields[name];
  else fields[name] = value;
}
