import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import type { Draft } from '../report/draft.ts';

/**
 * A rule of a make for writing its badges: catalog/facts/values/badge-rewrites.csv. Empty texts and zeros set no
 * condition.
 */
export interface BadgeRewrite {
  make: string;
  pattern: string;
  /** "{model}": the first group of the model's pattern. */
  replacement: string;
  /** A pattern that the model must fit. */
  model: string;
  /** Model years. */
  from: number;
  to: number;
  body: string;
  /** "two": of vehicles that drive two wheels. */
  drive: string;
}

/** A name that gives the fuel: catalog/facts/values/fuel-names.csv. */
export interface FuelName {
  /** "*": all makes. */
  make: string;
  pattern: string;
  fuel: string;
}

/** The vehicle that a rule is compared with. */
type Known = Pick<Draft, 'make' | 'model' | 'modelYear' | 'body' | 'driveType'>;

type Compiled = Omit<BadgeRewrite, 'pattern' | 'model'> & { pattern: RegExp; model: RegExp | undefined };

const ALL = '*';
const DRIVES_TWO = /^(?:Front|Rear)-wheel drive$|^4x2$/;

const NONE: readonly Compiled[] = [];

/** The rules of single makes about badges and names. */
export class NameRules {
  readonly #rewrites = new Map<string, Compiled[]>();
  readonly #fuels: readonly FuelName[];
  /** Patterns of names by fuel and make; null: no name gives it. */
  readonly #names = new Map<string, Map<string, RegExp | null>>();

  constructor(rewrites: readonly BadgeRewrite[], fuels: readonly FuelName[]) {
    for (const row of rewrites) {
      const ofMake = this.#rewrites.get(row.make) ?? [];
      const model = row.model === '' ? undefined : new RegExp(row.model);
      ofMake.push({ ...row, pattern: new RegExp(row.pattern), model });
      this.#rewrites.set(row.make, ofMake);
    }
    this.#fuels = fuels;
  }

  /** Returns a badge as its make writes it: "GLE 350 d 4MATIC" of "GLE350d 4MATIC". */
  rewrite(badge: string, known: Known): string {
    if (badge === '') return badge;
    let text = badge;
    for (const row of this.#rewrites.get(known.make) ?? NONE) {
      if (!fits(row, known)) continue;
      const model = row.model?.exec(known.model);
      if (model === null) continue;
      text = text.replace(row.pattern, row.replacement.replace('{model}', model?.[1] ?? ''));
    }
    return text;
  }

  /** Returns true if one of the names of a make's vehicle gives the fuel. */
  nameFuel(fuel: string, make: string, names: readonly string[]): boolean {
    const pattern = this.#namesOf(fuel, make);
    return pattern !== null && names.some((name) => name !== '' && pattern.test(name));
  }

  #namesOf(fuel: string, make: string): RegExp | null {
    let byMake = this.#names.get(fuel);
    if (byMake === undefined) {
      byMake = new Map();
      this.#names.set(fuel, byMake);
    }
    const known = byMake.get(make);
    if (known !== undefined) return known;
    const rows = this.#fuels.filter((row) => row.fuel === fuel && (row.make === make || row.make === ALL));
    const pattern = rows.length === 0 ? null : new RegExp(rows.map((row) => row.pattern).join('|'));
    byMake.set(make, pattern);
    return pattern;
  }
}

function fits({ from, to, body, drive }: Compiled, known: Known): boolean {
  const year = known.modelYear;
  if ((from !== 0 && year < from) || (to !== 0 && (year === 0 || year > to))) return false;
  return (body === '' || body === known.body) && (drive !== 'two' || DRIVES_TWO.test(known.driveType));
}

/** Reads the rules from a catalog: the sections `corrected.badge.*` and `corrected.fuel.words`. */
export function readNameRules(container: Container, strings: Strings): NameRules {
  const years = container.u16('corrected.badge.years');
  const badges = container.u32('corrected.badge.words');
  const fuels = container.u32('corrected.fuel.words');
  const rewrites = Array.from({ length: years.length / 2 }, (_, row): BadgeRewrite => {
    const word = (column: number): string => strings.get(badges[row * 6 + column] ?? 0);
    return {
      make: word(0),
      pattern: word(1),
      replacement: word(2),
      model: word(3),
      body: word(4),
      drive: word(5),
      from: years[row * 2] ?? 0,
      to: years[row * 2 + 1] ?? 0,
    };
  });
  const names = Array.from({ length: fuels.length / 3 }, (_, row): FuelName => {
    const word = (column: number): string => strings.get(fuels[row * 3 + column] ?? 0);
    return { make: word(0), pattern: word(1), fuel: word(2) };
  });
  return new NameRules(rewrites, names);
}
