import { nameCase, tidy } from './casing.ts';
import { keyOf, once, readTable } from './table.ts';

/** A trim in vPIC's words (element 38). The make and the model are people's words, where they are known. */
interface RegistryTrim {
  make?: string | undefined;
  model?: string | undefined;
  trim: string;
}

const exceptions = once(() => readTable('trims.csv', ['make', 'vpic', 'trim'], 2));

const rewrites = once(() =>
  [...readTable('trim-rewrites.csv', ['make', 'pattern', 'replacement'], 2, (text) => text).values()].map((row) => ({
    make: row.make,
    pattern: new RegExp(row.pattern, 'g'),
    replacement: row.replacement,
  })),
);

/** Matches texts that name no trim. */
const NO_TRIM =
  /^\(?(?:not[- ]*identified|unknown|others?|n\/?a|none|not applicable|export|.*\bseating configuration)\)?\.?$/i;

/**
 * Matches texts with notes or several trims. The decoder drops texts that name no trim in the end: until then they
 * distinguish a car from those with another trim.
 */
const SEVERAL = /[,;/()&]/;

/** Capitals of up to this many letters in a trim may be a code. */
const CODE_LETTERS = 4;

/** facts/values/trims.csv: a make's trims that people write otherwise, or that name none; texts in lower case. */
export const trimExceptions = once((): { make: string; text: string; trim: string }[] =>
  [...exceptions().values()].map(({ make, vpic, trim }) => ({ make, text: keyOf(vpic), trim })),
);

/**
 * Returns a trim as people write it: "TOURING" to "Touring", "SE w/ Tech" to "SE w/Tech", "E350-4M" to "E350 4MATIC".
 *
 * Undefined if the text is empty, or only repeats the model ("Macan" of a Macan; "Macan S" leaves "S"). Several trims
 * in one text stay as they are: a VIN of that pattern may be any of them.
 */
export function trimName({ make, model, trim }: RegistryTrim): string | undefined {
  const known = make === undefined ? undefined : exceptions().get(`${keyOf(make)}|${keyOf(trim)}`);
  if (known && (known.trim !== '' || SEVERAL.test(trim))) return known.trim || undefined;
  let text = tidy(trim).replace(/\s*,\s*(?=\S)/g, ', ');
  if (NO_TRIM.test(text)) return undefined;
  for (const rewrite of rewrites()) {
    if (rewrite.make === '*' || rewrite.make === make) text = text.replace(rewrite.pattern, rewrite.replacement);
  }
  text = tidy(text)
    .replace(/^\(([^()]*)\)$/, '$1')
    .replace(/[;,]+$|(?<=\p{Ll}{3})\.$/u, '');
  const own = model === undefined ? text : withoutModel(model, text);
  return nameCase(own, CODE_LETTERS) || undefined;
}

const badges = once(() =>
  [...readTable('badges.csv', ['make', 'pattern', 'code'], 2, (text) => text).values()].map((row) => ({
    make: row.make,
    pattern: new RegExp(row.pattern),
    code: row.code,
  })),
);

/**
 * Returns the badge that a trim starts with, by facts/values/badges.csv: "C300" of a Mercedes-Benz "C300-4M"; of a
 * Lexus "350 Premium" it is "RX 350" where the model is given and "350" where it is not. Undefined for a list of
 * several trims.
 */
export function trimBadge({ make, model, trim }: RegistryTrim): string | undefined {
  const text = tidy(trim);
  if (/[,/]/.test(text)) return undefined;
  const badge = badges().find((entry) => entry.make === make && entry.pattern.test(text));
  const code = badge?.pattern.exec(text)?.[0].replace(badge.pattern, badge.code);
  return code && tidy(code.replace('{model}', model ?? ''));
}

/** Drops the model at the start; in a list only where every item starts with it. */
function withoutModel(model: string, trim: string): string {
  const items = trim.split(/\s*(?:,| \/ )\s*/);
  const rests = items.map((item) => withoutStart(model, item));
  if (rests.some((rest) => rest === undefined)) return trim;
  const own = rests.map((rest) => rest?.replace(/^with /i, 'w/') ?? '');
  if (own.every((rest) => rest === '')) return '';
  return own.map((rest) => rest || 'Base').join(' / ');
}

function withoutStart(start: string, text: string): string | undefined {
  if (keyOf(text) === keyOf(start)) return '';
  const rest = text.slice(start.length);
  return keyOf(text).startsWith(keyOf(start)) && /^[ :-]/.test(rest) ? rest.replace(/^[ :-]+/, '') : undefined;
}

const owners = once(() =>
  [...readTable('trim-owners.csv', ['make', 'pattern', 'model', 'source'], 2, (text) => text).values()].map((row) => ({
    make: row.make,
    pattern: new RegExp(row.pattern),
    model: row.model,
  })),
);

/**
 * Returns the one model that a trim belongs to, where NHTSA's rows give it to others too, by
 * facts/values/trim-owners.csv.
 */
export function ownerOfTrim(make: string, trim: string): string | undefined {
  return owners().find((row) => row.make === make && row.pattern.test(trim))?.model;
}
