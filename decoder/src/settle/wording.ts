import { F, type Ledger } from './ledger.ts';
import { SOURCE } from './precedence.ts';
import { BY } from './reasons.ts';
import type { NameRules } from './name-rules.ts';
import type { Draft } from '../report/draft.ts';
import type { BodyStyle } from '../report/report.ts';
import type { DriveNames } from '../specs/drive-names.ts';

/** The words of catalogs that a report is written with. */
interface Words {
  /** Returns the bodies with which the family was sold, as far as a list has them. */
  familyBodies: () => ReadonlySet<string>;
  /** Returns the common name of a trim. */
  trimName: (make: string, trim: string) => string;
  /** The makes' ways to write their badges. */
  rules: NameRules;
  driveNames: DriveNames;
}

/**
 * Claims the words of a report, once nothing more is joined by it: one vocabulary of vehicle types, one trim rather
 * than the list of those that remain, a works code or none, and the gearbox that an electric car has.
 */
export function claimWords(ledger: Ledger, words: Words): void {
  const { known } = ledger;
  const type = typeOf(known, words.familyBodies);
  if (type !== known.vehicleType) {
    const isOfBody = TYPES[known.body] !== undefined;
    ledger.put(WORDING, F.vehicleType, type, isOfBody || type === '' ? BY.body : BY.family);
  }
  if (known.model === '') {
    // Both are of a model: rows that name different ones may still share them.
    ledger.drop(WORDING, F.trim, BY.noModel);
    ledger.drop(WORDING, F.generation, BY.noModel);
  } else {
    const trim = words.trimName(known.make, trimOf(known, words));
    if (trim !== known.trim) ledger.put(WORDING, F.trim, trim, BY.trim);
  }
  // Drop a model code that only repeats the generation.
  if (known.modelCode === known.generation) ledger.drop(WORDING, F.modelCode, BY.repeated);
  claimElectric(ledger);
}

const { wording: WORDING } = SOURCE;

/** Common types of vehicles, by body. */
const TYPES: Readonly<Partial<Record<BodyStyle, string>>> = {
  sedan: 'Passenger car',
  wagon: 'Passenger car',
  hatchback: 'Passenger car',
  coupe: 'Passenger car',
  cabrio: 'Passenger car',
  suv: 'SUV',
  van: 'Van',
  pickup: 'Pickup',
  truck: 'Truck',
  bus: 'Bus',
  motorcycle: 'Motorcycle',
  trailer: 'Trailer',
};

/** The van that families buy: a passenger car in law and in people's words. */
export const PEOPLE_CARRIER = 'Minivan';

/** Classes that the body does not refine. */
const LASTING: ReadonlySet<string> = new Set([
  'Motorcycle',
  'Trailer',
  'Bus',
  'Machine',
  'Off-road vehicle',
  'Low-speed vehicle',
  'Incomplete vehicle',
]);

/** Types that no vehicle of another body has. */
const OF_ONE_BODY: ReadonlySet<string> = new Set(['Motorcycle', 'Trailer']);

/** Classes of registries that are not a word for a vehicle: without a body they mean nothing. */
const REGISTRY_CLASSES: ReadonlySet<string> = new Set([
  'Multipurpose passenger vehicle',
  'Light commercial vehicle',
  'Commercial vehicle',
]);

function typeOf({ vehicleType, body, bodyLabel }: Draft, familyBodies: () => ReadonlySet<string>): string {
  const known = TYPES[body];
  // One of the two is wrong.
  if (known !== undefined && known !== vehicleType && OF_ONE_BODY.has(vehicleType)) return '';
  if (LASTING.has(vehicleType)) return vehicleType;
  if (body === 'van' && bodyLabel === PEOPLE_CARRIER) return 'Passenger car';
  if (known !== undefined) return known;
  if (REGISTRY_CLASSES.has(vehicleType)) return '';
  if (vehicleType !== 'Passenger car' && vehicleType !== '') return vehicleType;
  const bodies = familyBodies();
  if (bodies.size === 0) return vehicleType;
  const kinds = kindsOf(bodies);
  // The WMI gives no vehicle type. Lists omit chassis cabs, so only an all-car family is answered.
  if (vehicleType === '') return kinds.size === 1 && kinds.has('Passenger car') ? 'Passenger car' : '';
  return typeOfFamily(kinds);
}

function kindsOf(bodies: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(Array.from(bodies, (body) => TYPES[body as BodyStyle] ?? 'Passenger car'));
}

/**
 * Returns the kind of a car whose body is open: a WMI is of passenger cars although vans and SUVs are built there too.
 */
function typeOfFamily(kinds: ReadonlySet<string>): string {
  if (kinds.has('Passenger car')) return 'Passenger car';
  return kinds.size === 1 ? ([...kinds][0] ?? '') : '';
}

/** Bodies of which a number such as 1500 is part of the name; of others it is a registry's class of weight. */
const LOADED: ReadonlySet<string> = new Set(['pickup', 'van', 'truck', 'unknown']);

/** Returns the trim with the badge ("328i xDrive"), as far as all trims that remain share it. */
function trimOf(known: Draft, { rules, driveNames }: Words): string {
  const { badge, trim, body, model, generation } = known;
  if (badge === '' && trim === '') return '';
  const plain = driveNames.without(withoutLastWord(model, withBadge(badge, settledTrim(trim), body)));
  const own = rules.rewrite(plain, known);
  if (THREE_DIGITS.test(own) && !LETTERS.test(model)) return '';
  if (own === '' || own === model || own === generation) return '';
  if (!LETTERS.test(model) || !NUMBER.test(own)) return own;
  return `${model} ${own}`.replace(/(?<=\d)H(?=\+? |\+?$)/, 'h');
}

/** A number alone is a class of weight or a works code: "907". */
const THREE_DIGITS = /^\d{3}$/;

/** Removes the model's last word: "ESV Luxury" of an Escalade ESV leaves "Luxury". */
function withoutLastWord(model: string, trim: string): string {
  const last = /(?<= )\p{L}{3,}$/u.exec(model)?.[0];
  if (last === undefined || !`${trim} `.startsWith(`${last} `)) return trim;
  return trim.slice(last.length + 1);
}

/** Models of two letters, and the numbers that people say only after them: an ES with the badge 350 is an "ES 350". */
const LETTERS = /^[A-Z]{2}$/;
const NUMBER = /^\d{3}[a-zA-Z]{0,2}\+?(?= |$)/;

function withBadge(badge: string, own: string, body: BodyStyle): string {
  if (badge === '' || (/^\d{4}/.test(badge) && !LOADED.has(body))) return own;
  const known = settledTrim(badge);
  if (known === '' || `${own} `.startsWith(`${known} `)) return own;
  if (own === '') return known;
  // "GLC 300" and "300 4MATIC".
  const last = known.slice(known.lastIndexOf(' ') + 1);
  return `${known} ${own}`.replace(`${last} ${last}`, last);
}

/** Matches lists, notes and packages. */
const UNTIDY = /[/,;+()]| or /;

/** A slash that is part of a name. */
const NAMES_WITH_SLASH = /\b(R\/T|M\/R|H\/K)\b/g;

/**
 * Returns the words with which all trims of a text start: "350/350 F Sport" is a 350, "L/LE/SE" may be anything. Notes
 * in brackets and packages after a plus are left out.
 */
export function settledTrim(trim: string): string {
  if (!UNTIDY.test(trim)) return trim;
  const plain = trim
    .replace(/\s*\([^)]*\)?/g, '')
    .replace(NAMES_WITH_SLASH, (name) => name.replace('/', SLASH))
    .replace(/\bw\/\s*/gi, 'with ')
    .replace(/\s*\+[^,;]*/g, '');
  const lists = plain.split(/\s*[/,;]\s*| or /).map((item) => item.split(' ').filter((word) => word !== ''));
  const [first = [], ...others] = lists.filter((words) => words.length > 0);
  const length = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  const shared = (length < 0 ? first : first.slice(0, length)).join(' ').replaceAll(SLASH, '/');
  // Two names of one letter in common are two names.
  if (others.length > 0 && shared.length < 2) return '';
  // Equipment alone is not a trim.
  return shared.startsWith('with ') ? '' : shared;
}

/** Replaces a slash that separates nothing. */
const SLASH = '\u0001';

const PLUG_IN = 'Plug-in hybrid';
const HYBRID = 'Hybrid';

/**
 * Returns the fuel that a car's name gives, as far as all remaining trims share it: that a hybrid has a plug, or that a
 * car whose registry entry only gives the fuel it burns is a hybrid. "" if the name gives none, or no other.
 */
export function fuelOfName({ make, model, badge, trim, fuelType }: Draft, rules: NameRules): string {
  if (fuelType !== '' && fuelType !== HYBRID && fuelType !== 'Gasoline') return '';
  const names = [model, badge, settledTrim(trim)];
  const hasPlug = rules.nameFuel(PLUG_IN, make, names);
  if (fuelType === HYBRID || (fuelType === '' && hasPlug)) return hasPlug ? PLUG_IN : '';
  return !hasPlug && rules.nameFuel(HYBRID, make, names) ? HYBRID : '';
}

const SINGLE_SPEED = 'Automatic, single-speed';

/**
 * Claims the consequences of an electric motor: an electric car has neither a displacement nor a belt; a plug-in hybrid
 * has an engine and its gears.
 */
function claimElectric(ledger: Ledger): void {
  const { fuelType, transmission } = ledger.known;
  if (fuelType === 'Electric') {
    ledger.drop(WORDING, F.displacementCc, BY.electric);
    ledger.drop(WORDING, F.cylinders, BY.electric);
    if (transmission !== '' && /^Automatic(?:, (?:(?:e-)?CVT|dual-clutch))?$|^Manual/.test(transmission))
      ledger.claim(WORDING, F.transmission, SINGLE_SPEED, BY.electric);
  } else if (fuelType === PLUG_IN && transmission === SINGLE_SPEED)
    ledger.claim(WORDING, F.transmission, 'Automatic', BY.electric);
}
