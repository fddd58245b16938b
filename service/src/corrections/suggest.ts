import type { BodyStyle, VehicleReport } from '@marque/decoder';

import { maskVinsInValue } from '../kernel/mask-vin.ts';
import { flatten, textAt } from './apply.ts';
import { furtherValue, isNumberField, UNSEEN } from './fields.ts';
import type { Claim, Contested, DiffLine, FieldValue, OverrideFields } from './types.ts';

/** The field of the report that each part of the claim is about. */
const CLAIMED_FIELDS = {
  manufacturer: 'expectedManufacturer',
  model: 'expectedModel',
  bodyStyle: 'expectedBodyStyle',
  modelYear: 'expectedModelYear',
} as const satisfies Partial<Record<keyof VehicleReport, keyof Claim>>;

/** Words for "unknown", which claim nothing. */
const NO_CLAIM = /^(?:unknown|not known|none|n a|na|any|)$/;

/** Returns true if the report agrees with the whole claim. */
export function agreesWith(claim: Claim, report: VehicleReport): boolean {
  return claimedFields(claim).every((field) => agrees(claim, report, field) !== false);
}

/** Returns the fields that would make the claim true. */
export function fieldsFor(claim: Claim, report: VehicleReport): OverrideFields {
  const fields: Record<string, FieldValue> = {};
  for (const field of claimedFields(claim)) {
    if (agrees(claim, report, field) !== false) continue;
    const text = maskVinsInValue(cleaned(claimedText(claim, field)));
    if (field === 'modelYear') {
      const year = yearIn(text);
      if (year !== undefined) fields['modelYear'] = year;
      continue;
    }
    fields[field] = furtherValue(field, text);
    if (field === 'bodyStyle') fields['bodyStyleNormalized'] = bodyStyleMeant(text) ?? 'other';
  }
  return fields;
}

/** Lists the differences between a claim and the answer. */
export function contestedIn(claim: Claim, now: VehicleReport): Contested[] {
  return claimedFields(claim)
    .filter((field) => agrees(claim, now, field) === false)
    .map((field) => ({ field, before: textAt(now, field), after: claimedText(claim, field) }));
}

/** Returns claim and answers side by side: claimed fields first, then every other field with a value. */
export function diffOf(
  claim: Claim,
  seen: { reported: unknown; before: VehicleReport | undefined; now: VehicleReport | undefined },
): DiffLine[] {
  const reported = reportIn(seen.reported);
  const claimed = claimedFields(claim);
  const answered = [...flatten(seen.before ?? {}), ...flatten(seen.now ?? {})].map(([path]) => path);
  return [...new Set([...claimed, ...answered])].map((field) => {
    const isClaimed = claimed.includes(field);
    return {
      field,
      claimed: isClaimed ? claimedText(claim, field) : undefined,
      reported: textAt(reported, field),
      answeredThen: textAt(seen.before ?? {}, field),
      answersNow: textAt(seen.now ?? {}, field),
      agrees: isClaimed && seen.now !== undefined ? agrees(claim, seen.now, field) : undefined,
    };
  });
}

/** Returns true if one field of the claim agrees with the report; undefined: it is not claimed. */
function agrees(claim: Claim, report: VehicleReport, field: string): boolean | undefined {
  const claimed = claimedText(claim, field);
  const words = plainWords(claimed);
  if (NO_CLAIM.test(words)) return undefined;
  const answered = textAt(report, field);
  if (field === 'modelYear') return (yearIn(words) ?? words) === answered;
  if (isNumberField(field)) return answered !== undefined && furtherValue(field, claimed) === Number(answered);
  if (answered !== undefined && plainWords(answered) === words) return true;
  return field === 'bodyStyle' && bodyStyleMeant(claimed) === report.bodyStyleNormalized;
}

/** Paths of the fields that a claim is about: the four that every claim names, then the others. */
function claimedFields({ expectedFields = {} }: Claim): string[] {
  return [...Object.keys(CLAIMED_FIELDS), ...Object.keys(expectedFields)];
}

function claimedText(claim: Claim, field: string): string {
  return isNamedField(field) ? claim[CLAIMED_FIELDS[field]] : String(claim.expectedFields?.[field] ?? '');
}

function isNamedField(field: string): field is keyof typeof CLAIMED_FIELDS {
  return Object.hasOwn(CLAIMED_FIELDS, field);
}

/** Clients send either the report or the whole answer that contains it. */
function reportIn(reported: unknown): object {
  if (typeof reported !== 'object' || reported === null) return {};
  const inner: unknown = 'report' in reported ? reported.report : undefined;
  return typeof inner === 'object' && inner !== null ? inner : reported;
}

/** Removes the characters that an override may not contain from a claim's text, and writes full-width letters plainly. */
function cleaned(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

/** Letters, digits and signs of makers' and models' names, with their accents: but for \u0131 and \u0138, which look like others. */
const USUAL = /[ -~\u00A0-\u0130\u0132-\u0137\u0139-\u017F\u1E00-\u1EFF\u2013\u2014\u2018\u2019\u201C-\u201E]/u;

/** Scripts with letters that look like Latin ones. */
const SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Georgian', 'Hebrew', 'Lisu'] as const;

const KINDS: readonly (readonly [string, RegExp])[] = [
  ...SCRIPTS.map((script) => [`${script} letters`, new RegExp(`\\p{Script=${script}}`, 'u')] as const),
  ['rare Latin letters', /\p{Script=Latin}/u],
];

/**
 * Returns what a text has that names of vehicles do not, such as Cyrillic letters, also where all of it is Cyrillic: it
 * may look exactly like another name.
 */
export function unusualIn(text: string): string[] {
  const odd = [...text].filter((character) => !USUAL.test(character));
  return [...new Set(odd.map((character) => KINDS.find(([, of]) => of.test(character))?.[0] ?? 'unusual signs'))];
}

function yearIn(text: string): string | undefined {
  return /\b(?:19|20)\d\d\b/.exec(text)?.[0];
}

/** Everyday words for body styles, in the order of the search: "hatchback van" is a van. */
const WORDS: readonly (readonly [RegExp, BodyStyle])[] = [
  [/\b(?:cabrio\w*|convertible|roadster|spider|spyder|drophead|targa)\b/, 'cabrio'],
  [/\b(?:pick ?up|ute)\b/, 'pickup'],
  [/\b(?:station wagon|wagon|estate|touring|tourer|avant|kombi|combi|variant|shooting brake|break|sw)\b/, 'wagon'],
  [/\b(?:suv|crossover|cuv|off ?roader|sport utility)\b/, 'suv'],
  [/\b(?:mini ?van|van|mpv|panel van|people carrier|multi purpose)\b/, 'van'],
  [/\b(?:hatch\w*|liftback|sportback|[35] ?door)\b/, 'hatchback'],
  [/\b(?:coupe)\b/, 'coupe'],
  [/\b(?:sedan|saloon|limousine|notchback|berline|berlina)\b/, 'sedan'],
  [/\b(?:motor ?cycle|motor ?bike|scooter|moped)\b/, 'motorcycle'],
  [/\b(?:trailer|caravan)\b/, 'trailer'],
  [/\b(?:bus|coach)\b/, 'bus'],
  [/\b(?:truck|lorry|tractor)\b/, 'truck'],
];

/** Returns the canonical body style that a person most likely means; undefined: unknown words. For suggestions only. */
function bodyStyleMeant(label: string): BodyStyle | undefined {
  const words = plainWords(label);
  return WORDS.find(([pattern]) => pattern.test(words))?.[1];
}

/** Returns lowercase letters and digits with single spaces between words: "Škoda  Octavia-RS" is "skoda octavia rs". */
export function plainWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
