import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import type { Draft } from '../report/draft.ts';
import { keeping } from './keeping.ts';

const DRIVES = ['all', 'front', 'rear', 'two'] as const;

/** The driven wheels: "all", "two", or one of the two axles. */
export type DrivenWheels = (typeof DRIVES)[number];

/** A name of the driven wheels: catalog/facts/values/drive-names.csv. */
export interface DriveName {
  /** The beginning of a word, in any case; letters, digits and hyphens. */
  name: string;
  /** The wheels that it names. */
  drive: DrivenWheels;
  /** True if it is not part of a trim that starts with it. */
  apart: boolean;
}

/** The names of driven wheels in trims, badges and bodies. */
export class DriveNames {
  readonly #drivesIn: (text: string) => number;
  readonly #apart: RegExp;

  constructor(rows: readonly DriveName[]) {
    const patterns = DRIVES.map((drive) => {
      const names = rows.filter((row) => row.drive === drive);
      return patternOf(names, (words) => new RegExp(`\\b(?:${words})`, 'i'));
    });
    // A bit for each drive that a text names.
    this.#drivesIn = keeping((text) =>
      patterns.reduce((bits, pattern, at) => bits | (Number(pattern.test(text)) << at), 0),
    );
    const apart = rows.filter((row) => row.apart);
    this.#apart = patternOf(apart, (words) => new RegExp(`^(?:${words})(?:$| (?=\\p{L}))`, 'iu'));
  }

  /** Returns the driven wheels that trim, badge and body name; "" if they name none, or several ("FWD/AWD"). */
  of({
    badge,
    modelCode,
    trim,
    bodyLabel,
  }: Pick<Draft, 'badge' | 'modelCode' | 'trim' | 'bodyLabel'>): DrivenWheels | '' {
    let named = 0;
    if (badge !== '') named |= this.#drivesIn(badge);
    if (modelCode !== '') named |= this.#drivesIn(modelCode);
    if (trim !== '') named |= this.#drivesIn(trim);
    if (bodyLabel !== '') named |= this.#drivesIn(bodyLabel);
    // A power of two is one bit.
    return named === 0 || (named & (named - 1)) !== 0 ? '' : (DRIVES[31 - Math.clz32(named)] ?? '');
  }

  /**
   * Returns a trim without the driven wheels that it starts with, which are a field of their own; "" if it only names
   * them.
   */
  without(trim: string): string {
    return trim.replace(this.#apart, '');
  }
}

function patternOf(rows: readonly DriveName[], make: (words: string) => RegExp): RegExp {
  return rows.length === 0 ? /(?!)/ : make(rows.map(({ name }) => name).join('|'));
}

/** Reads the names from a catalog: the section `specs.driveName`. */
export function readDriveNames(container: Container, strings: Strings): DriveNames {
  const words = container.u32('specs.driveName');
  const rows = Array.from({ length: words.length / 3 }, (_, row): DriveName => {
    const word = (column: number): string => strings.get(words[row * 3 + column] ?? 0);
    return { name: word(0), drive: DRIVES.find((drive) => drive === word(1)) ?? 'all', apart: word(2) !== '' };
  });
  return new DriveNames(rows);
}
