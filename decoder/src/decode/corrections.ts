import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { type CompiledPattern, compilePattern, holdsFor } from '../vin/pattern.ts';
import { CONFIGURATIONS, type Draft } from '../report/draft.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE, type Source } from '../settle/precedence.ts';
import { BODY_STYLES, type BodyStyle } from '../report/report.ts';

/** The cars that a correction applies to. */
interface Circumstances {
  /** Its number in the catalog file. */
  row: number;
  make: string;
  /** Model years; 0 is open. */
  from: number;
  to: number;
  /** The characters that the VIN must have. */
  vin: CompiledPattern;
  text: RegExp | undefined;
}

interface NameCorrection extends Circumstances {
  rightMake: string;
  rightModel: string;
}

interface BodyCorrection extends Circumstances {
  instead: BodyStyle;
  body: BodyStyle;
  label: string;
}

/** The one body that a family was built with, or what people call it where it has that body. */
interface FamilyBody {
  row: number;
  make: string;
  /** "*": all of them. */
  generation: string;
  body: BodyStyle;
  /** The usual label of the body, which gives way to the family's. */
  usual: string;
  label: string;
}

interface ValueCorrection extends Circumstances {
  field: CorrectedField;
  instead: string;
  value: string | number;
}

/** The fields whose value a row replaces. */
type CorrectedField = 'displacementCc' | 'cylinders' | 'configuration' | 'powerKw' | TextField;
type TextField = (typeof TEXT_FIELDS)[number];
const TEXT_FIELDS = ['engineModel', 'fuelType', 'modelCode', 'plantCity', 'trim'] as const;

/** Placeholder in a right name for the badge or load class. */
const CODE = '{code}';

/** Represents all models of a make. */
const ALL = '*';

/**
 * Driven wheels behind a trim ("Titanium AWD"), which are a field of their own. Behind a number they are of the badge:
 * "IS 250 AWD".
 */
const DRIVE_BEHIND = /(?<=[^\d ]) +(?:[AFR]WD|[24]WD)$/;

/**
 * Common names and bodies of cars for which NHTSA's tables have others, and the bodies of whole families; see
 * catalog/src/values, and corrections.csv and family-bodies.csv in catalog/facts/values for the rows.
 */
export class Corrections {
  readonly #names = new Map<string, NameCorrection[]>();
  readonly #bodies = new Map<string, BodyCorrection[]>();
  readonly #families = new Map<string, FamilyBody[]>();
  readonly #values = new Map<string, ValueCorrection[]>();
  /** The common name of a trim in lower case, by make. */
  readonly #trims = new Map<string, Map<string, string>>();

  constructor(container: Container, strings: Strings) {
    const text = (words: Uint32Array, at: number): string => strings.get(words[at] ?? 0);
    const nameYears = container.u16('corrected.name.years');
    const names = container.u32('corrected.name.words');
    for (let row = 0; row < nameYears.length / 2; row++) {
      const word = (column: number): string => text(names, row * 6 + column);
      push(this.#names, word(1), {
        ...circumstances(word, nameYears, row),
        rightMake: word(4),
        rightModel: word(5),
      });
    }
    const valueYears = container.u16('corrected.value.years');
    const values = container.u32('corrected.value.words');
    for (let row = 0; row < valueYears.length / 2; row++) {
      const word = (column: number): string => text(values, row * 7 + column);
      push(this.#values, word(1), {
        ...circumstances(word, valueYears, row),
        field: word(4) as CorrectedField,
        instead: word(5),
        value: rightValue(word(4) as CorrectedField, word(6)),
      });
    }
    const trims = container.u32('corrected.trim.words');
    for (let at = 0; at < trims.length; at += 3) {
      const make = text(trims, at);
      const ofMake = this.#trims.get(make) ?? new Map<string, string>();
      this.#trims.set(make, ofMake.set(text(trims, at + 1), text(trims, at + 2)));
    }
    const bodyYears = container.u16('corrected.body.years');
    const bodies = container.u32('corrected.body.words');
    const styles = container.u8('corrected.body.styles');
    for (let row = 0; row < bodyYears.length / 2; row++) {
      const word = (column: number): string => text(bodies, row * 5 + column);
      push(this.#bodies, word(1), {
        ...circumstances(word, bodyYears, row),
        label: word(4),
        instead: BODY_STYLES[styles[row * 2] ?? 0] ?? 'unknown',
        body: BODY_STYLES[styles[row * 2 + 1] ?? 0] ?? 'unknown',
      });
    }
    this.#readFamilies(container, text);
  }

  #readFamilies(container: Container, text: (words: Uint32Array, at: number) => string): void {
    const words = container.u32('corrected.family.words');
    const styles = container.u8('corrected.family.styles');
    for (const [row, style] of styles.entries()) {
      const word = (column: number): string => text(words, row * 5 + column);
      push(this.#families, word(1), {
        row,
        make: word(0),
        generation: word(2),
        body: BODY_STYLES[style] ?? 'unknown',
        usual: word(3),
        label: word(4),
      });
    }
  }

  /** Claims the right name of a car. `trim` is the whole trim, `codes` the VIN's characters as numbers. */
  correctName(ledger: Ledger, trim: string, codes: Uint8Array): void {
    const { known } = ledger;
    const rows = this.#names.get(known.model);
    const found = rows === undefined ? undefined : rows.find((row) => fits(row, known, trim, codes));
    if (found === undefined) return;
    const { names } = SOURCE;
    const { badge, modelCode } = known;
    ledger.claim(names, F.make, found.rightMake, found.row);
    if (found.rightModel !== CODE) {
      ledger.put(names, F.model, found.rightModel, found.row);
      return;
    }
    ledger.put(names, F.model, badge === '' ? modelCode : badge, found.row);
    ledger.drop(names, F.badge, found.row);
    ledger.drop(names, F.modelCode, found.row);
  }

  /** Claims the values that NHTSA's row has wrong for a car of the right name. */
  correctValues(ledger: Ledger, trim: string, codes: Uint8Array): void {
    this.#correctBy(this.#values.get(ledger.known.model), ledger, trim, codes);
    this.#correctBy(this.#values.get(ALL), ledger, trim, codes);
  }

  #correctBy(rows: readonly ValueCorrection[] | undefined, ledger: Ledger, trim: string, codes: Uint8Array): void {
    if (rows === undefined) return;
    const { known } = ledger;
    const { values } = SOURCE;
    for (const row of rows) {
      if (row.make !== known.make || wordOf(known, row.field) !== row.instead || !fits(row, known, trim, codes))
        continue;
      // A badge that was read from the wrong trim is as wrong.
      if (row.field === 'trim' && `${known.trim} `.startsWith(`${known.badge} `)) {
        ledger.drop(values, F.badge, row.row);
      }
      ledger.put(values, F[row.field], row.value, row.row);
    }
  }

  /** Returns the common name of a make's trim; empty if the text names none. */
  trimName(make: string, trim: string): string {
    if (trim === '') return '';
    return (this.#trims.get(make)?.get(trim.toLowerCase()) ?? trim).replace(DRIVE_BEHIND, '');
  }

  /** Claims the body that people see for a car of the right name. */
  correctBody(ledger: Ledger, trim: string, codes: Uint8Array): void {
    const { known } = ledger;
    const found = this.#bodies
      .get(known.model)
      ?.find((row) => row.instead === known.body && fits(row, known, trim, codes));
    if (found === undefined) return;
    ledger.put(SOURCE.bodies, F.body, found.body, found.row);
    ledger.put(SOURCE.bodies, F.bodyLabel, found.label, found.row);
  }

  /**
   * Claims the body of a family with one body, and the name that people have for it, unless NHTSA's tables show another.
   * A code of the maker's layout that shows another is of another family.
   */
  claimFamily(ledger: Ledger): void {
    const { known } = ledger;
    const found = this.#families
      .get(known.model)
      ?.find(({ make, generation }) => make === known.make && (generation === '*' || generation === known.generation));
    if (found === undefined) return;
    const isOther = known.body !== 'unknown' && known.body !== found.body;
    if (isOther && ledger.sourceOf(F.body) !== 'layout') return;
    const { families } = SOURCE;
    if (isOther) ledger.drop(families, F.bodyLabel, found.row);
    ledger.claim(families, F.body, found.body, found.row);
    ledger.drop(families, F.possibleBodies, found.row);
    if (known.bodyLabel === '' || known.bodyLabel === found.usual) {
      ledger.claim(families, F.bodyLabel, found.label, found.row);
    }
  }

  /** Visits each make whose cars get another one by a correction, with that. */
  eachMakeChange(visit: (make: string, right: string) => void): void {
    for (const rows of this.#names.values()) {
      for (const { make, rightMake } of rows) if (rightMake !== '') visit(make, rightMake);
    }
  }

  /** Visits the make and each position, counted from 0, that a correction looks at. */
  eachPosition(visit: (make: string, at: number) => void): void {
    for (const rows of [...this.#names.values(), ...this.#bodies.values(), ...this.#values.values()]) {
      for (const { make, vin } of rows) for (const at of vin.at) visit(make, at);
    }
  }

  /** Describes a row of corrections or of family bodies in words. */
  describe(source: Source, row: number): string {
    const at = (lists: Map<string, readonly { row: number }[]>): string =>
      [...lists].find(([, rows]) => rows.some((one) => one.row === row))?.[0] ?? '';
    if (source === 'families') return `facts/values/family-bodies.csv · ${at(this.#families)}`;
    const model = at(source === 'names' ? this.#names : source === 'bodies' ? this.#bodies : this.#values);
    return `facts/values/corrections.csv · ${model === ALL ? 'all models' : model}`;
  }
}

/** Returns the right value of a value correction, as the field's own type. */
function rightValue(field: CorrectedField, right: string): string | number {
  if (isText(field)) return right;
  return field === 'configuration' ? CONFIGURATIONS.findIndex((name) => name === right) : Number(right);
}

function isText(field: CorrectedField): field is TextField {
  return TEXT_FIELDS.some((name) => name === field);
}

/** Returns a field's value as the rows write it. */
function wordOf(draft: Draft, field: CorrectedField): string {
  return field === 'configuration' ? (CONFIGURATIONS[draft.configuration] ?? '') : String(draft[field]);
}

function push<Row>(rows: Map<string, Row[]>, model: string, row: Row): void {
  const list = rows.get(model);
  if (list === undefined) rows.set(model, [row]);
  else list.push(row);
}

function circumstances(word: (column: number) => string, years: Uint16Array, row: number): Circumstances {
  const vin = compilePattern(word(2));
  const text = word(3) === '' ? undefined : new RegExp(word(3), 'i');
  return { row, make: word(0), from: years[row * 2] ?? 0, to: years[row * 2 + 1] ?? 0, vin, text };
}

/** Returns true if a row applies to a car. One of unknown year fits only rows for all years. */
function fits(row: Circumstances, draft: Draft, trim: string, codes: Uint8Array): boolean {
  if (row.make !== draft.make) return false;
  const year = draft.modelYear;
  if (row.from !== 0 && (year === 0 || year < row.from)) return false;
  if (row.to !== 0 && (year === 0 || year > row.to)) return false;
  if (row.text !== undefined && !row.text.test(trim === '' ? draft.badge || draft.modelCode : trim)) return false;
  return holdsFor(row.vin, codes);
}
