import type { BodyStyle } from '@marque/decoder';

const LITERS_PER_CUBIC_FOOT = 28.316_846_592;

/**
 * Returns the gearbox in EPA's words ("Automatic (S6)", "Manual 5-spd", "Automatic (AV-S7)"); undefined if there is
 * none.
 */
export function gearboxOf(trany: string): string | undefined {
  const manual = /^Manual (\d)-spd/.exec(trany);
  if (manual) return `Manual, ${manual[1]}-speed`;
  if (/variable gear ratios|\(AV/.test(trany)) return 'Automatic, CVT';
  if (/\(A1\)/.test(trany)) return 'Automatic, single-speed';
  // EPA's "AM" are gearboxes with one clutch and with two; what both are is automatic.
  const stepped = /^Automatic (?:(\d+)-spd|\((?:AM-?|AM-S|S|A|L)(\d+)\))/.exec(trany);
  const speeds = stepped?.[1] ?? stepped?.[2];
  if (speeds !== undefined) return `Automatic, ${speeds}-speed`;
  return trany.startsWith('Automatic') ? 'Automatic' : undefined;
}

/**
 * Returns the driven wheels of EPA's words that are unambiguous. "4-Wheel or All-Wheel Drive" and "2-Wheel Drive" are
 * not.
 */
export function driveOf(drive: string): string | undefined {
  switch (drive) {
    case 'Front-Wheel Drive':
      return 'Front-wheel drive';
    case 'Rear-Wheel Drive':
      return 'Rear-wheel drive';
    case 'All-Wheel Drive':
      return 'All-wheel drive';
    case '4-Wheel Drive':
    case 'Part-time 4-Wheel Drive':
      return 'Four-wheel drive';
    default:
      return undefined;
  }
}

/** Returns the fuel in the catalog's words, from EPA's `fuelType` and `atvType`. */
export function fuelOf(fuelType: string, atvType: string): string | undefined {
  if (atvType === 'EV') return 'Electric';
  if (atvType === 'FCV') return 'Hydrogen';
  if (atvType === 'Plug-in Hybrid') return 'Plug-in hybrid';
  if (atvType === 'Hybrid') return 'Hybrid';
  if (fuelType === 'Electricity') return 'Electric';
  if (fuelType === 'Diesel' || fuelType === 'CNG' || fuelType === 'Hydrogen') return fuelType;
  if (fuelType.endsWith(' or E85')) return 'Flex fuel';
  if (fuelType.endsWith(' or natural gas')) return 'Gasoline/CNG';
  if (fuelType.endsWith(' or propane')) return 'Gasoline/LPG';
  return /^(?:Regular|Premium|Midgrade)$/.test(fuelType) ? 'Gasoline' : undefined;
}

const BODY_WORDS: readonly (readonly [RegExp, BodyStyle])[] = [
  [/convertible|cabriolet|\bcab\b(?! chassis)|roadster|spyder|spider|drophead|soft top|volante|\bgtc\b/i, 'cabrio'],
  [/gran coupe|sportback|hatchback|\b5-?d(?:oo)?r\b|fastback/i, 'hatchback'],
  [/wagon|avant|\di touring|sportcombi|sport ?wagen|estate/i, 'wagon'],
  [/coupe|2-?door|\b2dr\b/i, 'coupe'],
  [/sedan|4-door/i, 'sedan'],
];

/** Returns the body, if EPA's class or the words of the model's name give it. EPA's classes count volume, not doors. */
export function bodyOf(vehicleClass: string, name: string, luggage: Luggage): BodyStyle | undefined {
  if (/pickup/i.test(vehicleClass)) return 'pickup';
  if (/van/i.test(vehicleClass)) return 'van';
  const word = BODY_WORDS.find(([pattern]) => pattern.test(name))?.[1];
  if (/sport utility/i.test(vehicleClass)) return word === 'cabrio' ? 'cabrio' : 'suv';
  if (word !== undefined) return word;
  if (/station wagon/i.test(vehicleClass)) return 'wagon';
  return luggage.sedan > 0 && luggage.coupe === 0 && luggage.hatchback === 0 ? 'sedan' : undefined;
}

/** Luggage volumes that EPA lists for one row, in cubic feet; 0 = none. */
export interface Luggage {
  hatchback: number;
  coupe: number;
  sedan: number;
}

/** Returns the luggage volume in liters (SAE J1100), if the row's volumes are of one body. */
export function cargoOf({ hatchback, coupe, sedan }: Luggage): number | undefined {
  const volumes = [hatchback, coupe, sedan].filter((volume) => volume > 0);
  const [only] = volumes;
  return volumes.length === 1 && only !== undefined && only >= 2 && only <= 60
    ? Math.round(only * LITERS_PER_CUBIC_FOOT)
    : undefined;
}

/** Matches words that have columns of their own. */
const TOLD =
  /\b(?:2wd|4wd|awd|fwd|rwd|4x2|4x4|ffv|e85|cng|lpg|phev|mhev|hev|ev|flex ?fuel|quattro|4matic\+?|4motion|all4|sh-awd|bi-?fuel|dual-?fuel|plug-in|hybrid|diesel|pickup|truck|wagon|sedan|coupe|convertible|cabriolet|hatchback)\b|[()]/gi;

/** Removes the words that have columns of their own from a name. */
export function badgeOf(rest: string): string {
  return rest
    .replaceAll(TOLD, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[ /,-]+|[ /,-]+$/g, '');
}

/**
 * Returns the federal standard of a certificate: "Tier 2 Bin 5", "Tier 3 Bin 30"; undefined where the code is of
 * another kind.
 */
export function federalStandard(code: string): string | undefined {
  const tier3 = /^T3B(\d+)$/.exec(code);
  if (tier3) return `Tier 3 Bin ${tier3[1]}`;
  const tier2 = /^B(\d+)$/.exec(code);
  return tier2 ? `Tier 2 Bin ${tier2[1]}` : undefined;
}

/** Returns the common part of several certificates of one car: the standard, or at least its tier. */
export function sharedStandard(standards: Iterable<string>): string | undefined {
  const all = [...new Set(standards)];
  if (all.length <= 1) return all[0];
  const tiers = new Set(all.map((standard) => standard.replace(/ Bin \d+$/, '')));
  return tiers.size === 1 ? [...tiers][0] : undefined;
}
