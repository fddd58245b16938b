import { BODY_STYLES } from '@marque/decoder';
import type { TProperties, TSchema } from 'typebox';
import { Check } from 'typebox/schema';

import { SEGMENT_FIELDS, VehicleReport } from '../report/index.ts';
import { andList, orList } from '../kernel/lists.ts';
import { maskVinsInValue } from '../kernel/mask-vin.ts';

/** One value that an override sets. */
export type FieldValue = string | number | readonly string[];

/**
 * Values of an override, by the field's path in the report (`model`, `specs.fuelType`). null: the field is left out,
 * because Marque's answer is wrong and the right value is unknown.
 */
export type OverrideFields = Readonly<Record<string, FieldValue | null>>;

/** Longer than any name of a model, shorter than anything that would break a page. */
const MAX_TEXT = 200;
const MAX_LIST = 14;

/** Returns a field's name for a fault: its path, as for programs, or its label, as on pages. */
export type NameOf = (path: string) => string;

const byPath: NameOf = (path) => path;

/** Remedies for fields that every answer needs. */
const CANNOT_BE_LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['bodyStyleNormalized', 'cannot be left out: use unknown.'],
  ['manufacturer', 'cannot be left out: without a make, no other field is answered. Set the right one.'],
]);

/** The parts of a schema that this file reads. */
type FieldSchema = TSchema & { type?: string; properties?: TProperties };

/** Schema of every field that an override may set, by its path in the report. */
const SCHEMAS: ReadonlyMap<string, FieldSchema> = new Map(schemasIn(VehicleReport.properties));

/** Paths of the fields that an override may set: `model`, `specs.fuelType`. */
export const OVERRIDABLE_FIELDS: readonly string[] = [...SCHEMAS.keys()];

/** Fields that a report of a wrong decode claims by names of their own. */
const NAMED: ReadonlySet<string> = new Set([
  'manufacturer',
  'model',
  'bodyStyle',
  'bodyStyleNormalized',
  'modelYear',
  'possibleBodyStyles',
]);

/** Paths of the other fields that a report may claim: `generation`, `specs.powerKw`. */
export const FURTHER_FIELDS: readonly string[] = OVERRIDABLE_FIELDS.filter((path) => !NAMED.has(path));

/**
 * Converts a claim of a further field to its value: for a field of numbers, the number at its beginning. See
 * `faultsInFurther` for others.
 */
export function furtherValue(path: string, text: string | number): FieldValue {
  if (!isNumberField(path) || typeof text === 'number') return typeof text === 'number' ? text : text.trim();
  const number = /^\s*(\d[\d,. ]*)/.exec(text)?.[1] ?? '';
  // 1,984 and 1 984 are thousands; 4.2 and 77,5 are not.
  const plain = number
    .trim()
    .replaceAll(/[ ,](?=\d{3}(?:\D|$))/g, '')
    .replace(',', '.');
  return plain === '' ? text : Number(plain);
}

/** The longest part of an unknown field's name that is repeated: more would add nothing. */
const LONGEST_PATH = 60;

/** Returns the faults of a claim's further fields, one sentence each. */
export function faultsInFurther(fields: Readonly<Record<string, string | number>>, nameOf: NameOf = byPath): string[] {
  return Object.entries(fields).flatMap(([path, text]) =>
    FURTHER_FIELDS.includes(path)
      ? (faultOf(path, furtherValue(path, text), nameOf) ?? [])
      : `expectedFields has no field ${path.slice(0, LONGEST_PATH)}. Name a field of the report by its path, such as specs.fuelType.`,
  );
}

/** Returns true if a field is a number. */
export function isNumberField(path: string): boolean {
  return SCHEMAS.get(path)?.type === 'number';
}

/** Returns true if a field is a list of texts. */
export function isListField(path: string): boolean {
  return SCHEMAS.get(path)?.type === 'array';
}

/** Returns the faults of an override's fields, one sentence each; none: they fit the schema of the report. */
export function faultsInFields(fields: OverrideFields, nameOf: NameOf = byPath): string[] {
  const entries = Object.entries(fields);
  const faults = entries.flatMap(([path, value]) => faultOf(path, value, nameOf) ?? []);
  if (entries.length === 0) faults.push('Set at least one field.');
  const style = fields['bodyStyle'];
  const [body, category] = ['bodyStyle', 'bodyStyleNormalized'].map(nameOf);
  if (style !== undefined && fields['bodyStyleNormalized'] === undefined) {
    faults.push(`Set ${category} together with ${body}, so that they agree.`);
  }
  if (typeof style === 'string' && fields['bodyStyleNormalized'] === 'unknown') {
    faults.push(`${category} cannot be unknown where ${body} is known.`);
  }
  return faults;
}

/** Returns fields without the VINs that their texts name: they become answers about other vehicles. */
export function withoutVins(fields: OverrideFields): OverrideFields {
  return Object.fromEntries(Object.entries(fields).map(([path, value]) => [path, withoutVin(value)]));
}

function withoutVin(value: FieldValue | null): FieldValue | null {
  if (typeof value === 'string') return maskVinsInValue(value);
  return typeof value === 'object' && value !== null ? value.map(maskVinsInValue) : value;
}

function faultOf(path: string, value: FieldValue | null, nameOf: NameOf): string | undefined {
  const schema = SCHEMAS.get(path);
  if (schema === undefined) return `${path} is not a field that can be set. Fields: ${andList(OVERRIDABLE_FIELDS)}.`;
  const says = value === null ? CANNOT_BE_LEFT_OUT.get(path) : faultInValue(path, schema, value);
  return says === undefined ? undefined : `${nameOf(path)} ${says}`;
}

/** Returns the fault of a value, as the rest of a sentence that begins with its field. */
function faultInValue(path: string, schema: FieldSchema, value: FieldValue): string | undefined {
  if (path === 'bodyStyleNormalized' && !Check(schema, value)) {
    return `must be ${orList(BODY_STYLES)}.`;
  }
  if (path === 'modelYear' && !/^(?:19|20)\d\d$/.test(String(value))) return 'must be a year of four digits.';
  if (!Check(schema, value)) return `must be ${isNumberField(path) ? 'a number' : 'text'}.`;
  if (typeof value === 'number') {
    return Number.isFinite(value) && value > 0 ? undefined : 'must be above 0.';
  }
  const texts = typeof value === 'string' ? [value] : value;
  if (texts.length === 0 || texts.length > MAX_LIST) return `must hold 1 to ${MAX_LIST} texts.`;
  return texts.every(isCleanText)
    ? undefined
    : `must be 1 to ${MAX_TEXT} printable characters, with no space before or after and none of = + - @ first.`;
}

/** Characters that are not seen: control and format characters, halves of pairs, fillers, an empty Braille cell. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/**
 * Returns true if a text is fit for every client: nothing unseen, no surrounding spaces, and not a formula for a
 * spreadsheet.
 */
function isCleanText(text: string): boolean {
  return (
    text === text.trim() && text !== '' && text.length <= MAX_TEXT && !/^[=+@-]/.test(text) && text.search(UNSEEN) < 0
  );
}

function schemasIn(properties: TProperties, prefix = ''): [string, FieldSchema][] {
  return Object.entries<FieldSchema>(properties).flatMap(([name, schema]): [string, FieldSchema][] => {
    if (prefix === '' && SEGMENT_FIELDS.has(name)) return [];
    const inner = schema.properties;
    return inner === undefined ? [[prefix + name, schema]] : schemasIn(inner, `${prefix}${name}.`);
  });
}
