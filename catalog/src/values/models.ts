import { nameCase, tidy } from './casing.ts';
import { isLegalName, makeName } from './makes.ts';
import { keyOf, once, readTable } from './table.ts';
import { trimBadge, trimName } from './trims.ts';

/** A vehicle's name in vPIC's words: elements 26, 28, 34 and 38. */
interface RegistryModel {
  make: string;
  model: string;
  series?: string | undefined;
  trim?: string | undefined;
}

/** A model as people write it. Parts that vPIC's words do not decide are absent. */
interface ModelName {
  /** The family: "3 Series", "C-Class", "F-150". Absent where vPIC's model names none ("Incomplete"). */
  model?: string;
  /** The badge or the maker's code inside the family: "328i", "1500", "GL1200". */
  modelCode?: string;
  trim?: string;
  /** The make that the model was sold under, where it is not vPIC's: "Scion" for Toyota's "Scion tC". */
  make?: string;
}

interface Family {
  pattern: RegExp;
  model: string;
  code: string;
}

const exceptions = once(() => readTable('models.csv', ['make', 'vpic', 'model', 'code', 'madeBy'], 2));

const families = once(() => {
  const byMake = new Map<string, Family[]>();
  for (const row of readTable('families.csv', ['make', 'pattern', 'model', 'code'], 2, (text) => text).values()) {
    const list = byMake.get(keyOf(row.make)) ?? [];
    list.push({ pattern: new RegExp(row.pattern), model: row.model, code: row.code });
    byMake.set(keyOf(row.make), list);
  }
  return byMake;
});

/** Models that say that no model is known, or name a kind of motorcycle. */
const NO_MODEL =
  /^(?:incomplete(?: vehicle)?|not (?:identified|applicable|available)|unknown|others?|n\/a|low speed vehicle|electric vehicle|no model(?: name)?|none|(?:closed course )?competition|street legal enduro.*|(?:(?:\d+" )?flat bed |electric |dirt |(?:three|four)[ -]wheel(?:ed)? )?(?:scooters?|bikes?|atv|utv|mopeds?)|(?:on|off)[ -]?road(?: motorcycles?)?|motor ?cycles?|underbone|step over frame)$/i;

/** Words for a kind of vehicle, a part of one or a maker, which alone name no model. */
const GENERIC =
  /^(?:(?:and|of|&|a|the|passenger|utility|low|speed|electric|boat|cargo|custom|three|wheel(?:ed)?|trailers?|vehicles?|cars?|lsv|trucks?|bus|buses|chassis|motorcycles?|choppers?|corporation|company|co|inc|llc|ltd|mfg|manufacturing|division|usa)[.,\s]*)+$|^division of /i;

/** Capitals of up to this many letters in a model's name may be a code. */
const CODE_LETTERS = 4;

/**
 * Returns a model as people write it, with the badge apart: BMW "328i" is model "3 Series" with modelCode "328i";
 * Mercedes-Benz "CLA-Class" is "CLA"; "COROLLA iM" is "Corolla iM". vPIC's series gives the modelCode where it is a
 * code ("1500 (1/2 Ton)", "Type 992", "GRN250L"), and the trim loses what the model already says.
 *
 * Known models are in facts/values/models.csv, families that a pattern identifies in facts/values/families.csv.
 */
export function modelName({ make, model, series, trim }: RegistryModel): ModelName {
  const people = makeName(make);
  const named = nameOf(people, tidy(model));
  const badge = trim === undefined ? undefined : trimBadge({ make: people, model: named.model, trim });
  const modelCode = named.modelCode ?? badge ?? (series === undefined ? undefined : seriesCode(series));
  const cleanTrim = trim === undefined ? undefined : trimName({ make: people, model: named.model ?? model, trim });
  return {
    ...named,
    ...(modelCode !== undefined && { modelCode }),
    ...(cleanTrim !== undefined && { trim: cleanTrim }),
  };
}

/** Returns true for "Bikes, Inc." and "Biotech Systems, Inc Trailer", but not for Ford's LTD. */
function isCompany(model: string): boolean {
  const name = model.replace(/ (?:trailers?|motorcycles?)$/i, '');
  return isLegalName(name) ? !/\bLTD$/.test(name) : /, ?(?:mfg|sas)\.?$/i.test(name);
}

function nameOf(make: string, model: string): Omit<ModelName, 'trim'> {
  const exception = exceptions().get(`${keyOf(make)}|${keyOf(model)}`);
  if (exception) {
    return {
      ...(exception.model !== '' && { model: exception.model }),
      ...(exception.code !== '' && { modelCode: exception.code }),
      ...(exception.madeBy !== '' && { make: exception.madeBy }),
    };
  }
  // The maker's own name, or another company's, is written where no model is known; "Ford LTD" is a model.
  const isList = /,[^,]*,/.test(model);
  if (isCompany(model) || (!isList && makeName(model) === make)) return {};
  const own = withoutMake(make, model);
  if (NO_MODEL.test(own)) return {};
  for (const family of families().get(keyOf(make)) ?? []) {
    if (!family.pattern.test(own)) continue;
    const code = own.replace(family.pattern, family.code);
    return { model: own.replace(family.pattern, family.model), ...(code !== '' && { modelCode: code }) };
  }
  return { model: alternatives(nameCase(own, CODE_LETTERS)) };
}

/**
 * Returns several models in one text, in the one form that answers have: "Pioneer, Prowler & Resort" to "Pioneer /
 * Prowler / Resort".
 */
function alternatives(name: string): string {
  if (!/[,/]/.test(name)) return name;
  const items = name.split(/,(?!\d)\s*(?:&|and\b)?\s*/);
  if (items.length > 1) {
    const last = (items.pop() ?? '').split(/\s(?:&|and)\s/);
    return [...items, ...last].join(' / ');
  }
  return name.replaceAll(/(?<=\p{Ll}{2})\s*\/\s*(?=\p{Lu})/gu, ' / ');
}

/**
 * Removes the make: "Panoz Roadster" to "Roadster", but "Honda Utility Vehicle" stays: the rest would not be a name.
 */
function withoutMake(make: string, model: string): string {
  if (!keyOf(model).startsWith(`${keyOf(make)} `)) return model;
  const rest = model.slice(make.length).trim();
  return GENERIC.test(rest) || rest.startsWith('/') ? model : rest;
}

/**
 * Returns the code in vPIC's series (element 34): a load class ("1500", "2500 HD"), a type ("Type 992") or a maker's
 * code ("GRN250L", "JK"). Undefined for words, and for several codes: they leave open which one.
 */
export function seriesCode(series: string): string | undefined {
  const text = tidy(series);
  const load = /^(\d{4})(?: ?(HD|XD))?(?= |$)/.exec(text);
  if (load) return load.slice(1).filter(Boolean).join(' ');
  const type = /^type (\w{2,3})$/i.exec(text)?.[1];
  if (type !== undefined) return type.toUpperCase();
  return /^(?=.*\d)[A-Z0-9][A-Z0-9.+-]{1,11}$/.test(text) ? text : undefined;
}
