import { F, type Ledger } from './ledger.ts';
import { SOURCE } from './precedence.ts';
import { BY } from './reasons.ts';
import type { Draft } from '../report/draft.ts';
import type { BodyStyle } from '../report/report.ts';

/**
 * Claims the words of a report, once nothing more is joined by it: one vocabulary of vehicle types, one trim rather
 * than the list of those that remain, a works code or none, and the gearbox that an electric car has.
 *
 * @param familyBodies returns the bodies with which the family was sold, as far as a list has them.
 * @param trimName returns the common name of a trim.
 */
export function claimWords(
  ledger: Ledger,
  familyBodies: () => ReadonlySet<string>,
  trimName: (make: string, trim: string) => string,
): void {
  const { known } = ledger;
  const type = typeOf(known, familyBodies);
  if (type !== known.vehicleType) {
    const isOfBody = TYPES[known.body] !== undefined;
    ledger.put(WORDING, F.vehicleType, type, isOfBody || type === '' ? BY.body : BY.family);
  }
  if (known.model === '') {
    // Both are of a model: rows that name different ones may still share them.
    ledger.drop(WORDING, F.trim, BY.noModel);
    ledger.drop(WORDING, F.generation, BY.noModel);
  } else {
    const trim = trimName(known.make, trimOf(known));
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

/** Classes of registries that are not a word for a vehicle: without a body they mean nothing. */
const REGISTRY_CLASSES: ReadonlySet<string> = new Set([
  'Multipurpose passenger vehicle',
  'Light commercial vehicle',
  'Commercial vehicle',
]);

function typeOf({ vehicleType, body, bodyLabel }: Draft, familyBodies: () => ReadonlySet<string>): string {
  if (LASTING.has(vehicleType)) return vehicleType;
  if (body === 'van' && bodyLabel === PEOPLE_CARRIER) return 'Passenger car';
  const known = TYPES[body];
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
function trimOf({ make, badge, trim, body, model, modelYear, generation, driveType }: Draft): string {
  let own = withoutLastWord(model, withBadge(badge, settledTrim(trim), body));
  if (make === 'BMW' && DRIVES_TWO.test(driveType)) own = own.replace(XI, '$1i');
  if (make === 'Mercedes-Benz') own = own.replace(CLASS_AND_NUMBER, '$1 ');
  own = own.replace(DRIVE, '');
  const letters = MERCEDES_CLASS.exec(model)?.[1];
  if (make === 'Mercedes-Benz' && letters !== undefined && modelYear >= LETTERED)
    own = own.replace(NUMBER_ALONE, `${letters} $1`);
  if (make === 'Mercedes-Benz') own = badgeOfMercedes(own, body);
  if (THREE_DIGITS.test(own) && !LETTERS.test(model)) return '';
  if (own === '' || own === model || own === generation) return '';
  if (!LETTERS.test(model) || !NUMBER.test(own)) return own;
  return `${model} ${own}`.replace(/(?<=\d)H(?=\+? |\+?$)/, 'h');
}

/** BMW's x before the i names all driven wheels: a "330xi" whose type drives two is a 330i. */
const XI = /^(\d{3}L?)xi\b/;
const DRIVES_TWO = /^(?:Front|Rear)-wheel drive$|^4x2$/;

/** Mercedes-Benz writes "E 350"; NHTSA's rows leave the blank out. */
const CLASS_AND_NUMBER = /^((?:AMG )?[A-Z]{1,3})(?=\d{2,3}(?!\d))/;

/**
 * Returns a badge as Mercedes-Benz writes it: "GLE 350 d 4MATIC Coupe", "AMG E 43 4MATIC", "C 220 CDI" of an estate,
 * whose body is a field of its own.
 */
function badgeOfMercedes(badge: string, body: BodyStyle): string {
  const own = badge.replace(LETTERS_OF_FUEL, ' ').replace(COUPE, '$1 $2 Coupe').replace(AMG_LAST, 'AMG $1');
  return body === 'wagon' ? own.replace(/ T$/, '') : own;
}

/** Matches "GLE Coupe 350 d 4MATIC": the body moves to the end. */
const COUPE = /^((?:AMG )?GL[CE]) Coupe (.+)$/;

/** Engines that were always sold as Mercedes-AMG, with the three letters first. */
const AMG_LAST = /^([A-Z]{1,3} (?:35|43|53)) AMG\b/;

/** "GLE 350 d", "C 350 e", "S 300 h" since 2014; older cars have "300 D" and "BlueTEC". */
const LETTERS_OF_FUEL = /(?<=^[A-Z]{1,3} \d{3})(?=(?:de?|e|h)(?: |$))/;

/** NHTSA's rows leave out the class too: "430" of an E-Class. The M-Class has badges of two letters. */
const NUMBER_ALONE = /^(\d{3}e?)(?=$| 4MATIC$)/;
const MERCEDES_CLASS = /^(?!M-)([A-Z]{1,3})-Class$/;

/** Since this model year the letters stand before the number: a 300 E became an E 300. */
const LETTERED = 1994;

/** A number alone is a class of weight or a works code: "907". */
const THREE_DIGITS = /^\d{3}$/;

/**
 * Matches driven wheels, which are a field of their own: not a trim by themselves, nor a part of the trim that follows.
 */
const DRIVE = /^(?:[xs]Drive|quattro|4Motion|4MATIC|AWD|FWD|RWD|[24]WD|4x[24]|e-AWD|SH-(?:E-)?AWD)(?:$| (?=\p{L}))/iu;

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

/** Names of cars with a plug, of which registries say no more than that they are hybrids. */
const PLUG_IN =
  /\b(?:PHEV|Plug-[Ii]n|4xe|Energi|E-Hybrid|TFSI e|xDrive[34]0e|xDrive[45][05]e|E Performance)\b|(?<!\d)[2-7]\d\d ?d?e\b|\b[A-Z]{1,3} 53e\b|\bPrime$|^[AQ]\d(?: L)? e$/;

/** Names of cars with two engines. */
const HYBRID = /\b(?:Active)?Hybrid\b/;

/**
 * Returns the fuel that a car's name gives, as far as all remaining trims share it: that a hybrid has a plug, or that a
 * car whose registry entry only gives the fuel it burns is a hybrid. "" if the name gives none, or no other.
 */
export function fuelOfName({ model, badge, trim, fuelType }: Draft): string {
  if (fuelType !== '' && fuelType !== 'Hybrid' && fuelType !== 'Gasoline') return '';
  const names = [model, badge, settledTrim(trim)];
  const isNamed = (word: RegExp): boolean => names.some((name) => name !== '' && word.test(name));
  if (fuelType === 'Hybrid') return isNamed(PLUG_IN) ? 'Plug-in hybrid' : '';
  return isNamed(HYBRID) && !isNamed(PLUG_IN) ? 'Hybrid' : '';
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
  } else if (fuelType === 'Plug-in hybrid' && transmission === SINGLE_SPEED)
    ledger.claim(WORDING, F.transmission, 'Automatic', BY.electric);
}
