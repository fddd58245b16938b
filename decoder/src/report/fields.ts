import { blocked, type ReportField, type SettledField, type SpecRule } from './field.ts';
import { DRAFT_FIELDS } from './draft.ts';
import type { ReportPath } from './report.ts';
import { SPEC_FIELDS } from './spec-fields.ts';
import { TECHNICAL_FIELDS } from './technical-fields.ts';
import { distance } from './tolerance.ts';
import { VEHICLE_FIELDS } from './vehicle-fields.ts';

/**
 * The fields of a report, by their path and in their lasting order. This table drives copying, caching, writing,
 * explaining, schemas, CSV columns, pages and the export of corrections: a new field is a row here, a property in
 * report.ts and, if it is decoded, one in draft.ts; the compiler names missing ones.
 */
export const REPORT_FIELDS = {
  ...VEHICLE_FIELDS,
  ...SPEC_FIELDS,
  ...TECHNICAL_FIELDS,
} as const satisfies Record<ReportPath, ReportField>;

/** Fails to compile when a row has no property in report.ts. */
type Untyped = Exclude<keyof typeof REPORT_FIELDS, ReportPath>;
REPORT_FIELDS satisfies [Untyped] extends [never] ? unknown : never;

/** Decoded values that a report has only within its engine's line. */
const ENGINE_PARTS = {
  cylinders: { draft: 'cylinders', specs: blocked('cylinders', distance(0)) },
} as const satisfies Record<string, SettledField>;

/** The fields with their paths, in the table's order. */
export const REPORT_ENTRIES: readonly (readonly [path: ReportPath, field: ReportField])[] = Object.entries(
  REPORT_FIELDS,
) as [ReportPath, ReportField][];

type Rules = (typeof REPORT_FIELDS & typeof ENGINE_PARTS)[keyof (typeof REPORT_FIELDS & typeof ENGINE_PARTS)];

/** A value of a draft that tables of specifications fill. */
export type SpecField = Extract<Rules, { specs: SpecRule }>['draft'];

/** One value that tables of specifications fill, with its path in the report. */
export interface SpecFieldRule extends SpecRule {
  field: SpecField;
  path: ReportPath;
  /** Its bit in a set of the fields that tables fill. */
  bit: number;
  /** The number of the field of a draft. */
  number: number;
}

const RULES = [
  ...REPORT_ENTRIES.flatMap(([path, field]) => ruleOf(path, field)),
  ...Object.values(ENGINE_PARTS).flatMap((field) => ruleOf('specs.engine', field)),
];

/** Rules of the fields that tables of specifications and type approvals fill. */
export const SPEC_RULES: readonly SpecFieldRule[] = Array.from(RULES, (rule, place) => ({
  ...rule,
  bit: 1 << place,
  number: DRAFT_FIELDS.indexOf(rule.field),
}));

function ruleOf(path: ReportPath, { draft, specs }: SettledField): Omit<SpecFieldRule, 'bit' | 'number'>[] {
  return draft === undefined || specs === undefined ? [] : [{ ...specs, field: draft as SpecField, path }];
}

/** Returns the bit of a field in a set of the fields that tables fill. */
export function bitOf(field: SpecField): number {
  return SPEC_RULES.find((rule) => rule.field === field)?.bit ?? 0;
}
