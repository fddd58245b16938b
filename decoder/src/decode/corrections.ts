import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { CODE_OF } from '../vin/characters.ts';
import { CONFIGURATIONS, type Draft } from '../report/draft.ts';
import { BODY_STYLES, type BodyStyle } from '../report/report.ts';

/** The cars that a correction applies to. */
interface Circumstances {
  make: string;
  /** Model years; 0 is open. */
  from: number;
  to: number;
  /** Characters that the VIN must have, at indices from 0. */
  vin: readonly { at: number; codes: ReadonlySet<number> }[];
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
  right: string;
}

/** The fields whose value a row replaces. */
type CorrectedField = 'displacementCc' | 'cylinders' | 'configuration' | 'powerKw' | TextField;
type TextField = (typeof TEXT_FIELDS)[number];
const TEXT_FIELDS = ['engineModel', 'fuelType', 'modelCode', 'plantCity', 'trim'] as const;

/** Placeholder in a right name for the badge or load class. */
const CODE = '{code}';

/** Stands for all models of a make. */
const ALL = '*';

/** Driven wheels behind a trim ("Titanium AWD"), which are a field of their own. Behind a number they are of the badge: "IS 250 AWD". */
const DRIVE_BEHIND = /(?<=[^\d ]) +(?:[AFR]WD|[24]WD)$/;

/**
 * What people call cars and see of them where NHTSA's tables say otherwise, and the bodies of whole families; see catalog/src/values, and
 * corrections.csv and family-bodies.csv in catalog/facts/values for the rows.
 */
export class Corrections {
  readonly #names = new Map<string, NameCorrection[]>();
  readonly #bodies = new Map<string, BodyCorrection[]>();
  readonly #families = new Map<string, FamilyBody[]>();
  readonly #values = new Map<string, ValueCorrection[]>();
  /** A make's trim, in lower case, to what people call it. */
  readonly #trims = new Map<string, string>();

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
        right: word(6),
      });
    }
    const trims = container.u32('corrected.trim.words');
    for (let at = 0; at < trims.length; at += 3) {
      this.#trims.set(`${text(trims, at)}|${text(trims, at + 1)}`, text(trims, at + 2));
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
        make: word(0),
        generation: word(2),
        body: BODY_STYLES[style] ?? 'unknown',
        usual: word(3),
        label: word(4),
      });
    }
  }

  /** Gives a car its right name. `trim` is the whole trim, `codes` the VIN's characters as numbers. */
  rename(draft: Draft, trim: string, codes: Uint8Array): void {
    const found = this.#names.get(draft.model)?.find((row) => fits(row, draft, trim, codes));
    if (found === undefined) return;
    if (found.rightMake !== '') draft.make = found.rightMake;
    if (found.rightModel !== CODE) {
      draft.model = found.rightModel;
      return;
    }
    draft.model = draft.badge === '' ? draft.modelCode : draft.badge;
    draft.badge = '';
    draft.modelCode = '';
  }

  /** Gives a car of the right name the values that NHTSA's row has wrong. */
  mend(draft: Draft, trim: string, codes: Uint8Array): void {
    this.#mendBy(this.#values.get(draft.model), draft, trim, codes);
    this.#mendBy(this.#values.get(ALL), draft, trim, codes);
  }

  #mendBy(rows: readonly ValueCorrection[] | undefined, draft: Draft, trim: string, codes: Uint8Array): void {
    if (rows === undefined) return;
    for (const row of rows) {
      if (said(draft, row.field) !== row.instead || !fits(row, draft, trim, codes)) continue;
      // A badge that was read from the wrong trim is as wrong.
      if (row.field === 'trim' && `${draft.trim} `.startsWith(`${draft.badge} `)) draft.badge = '';
      if (isText(row.field)) draft[row.field] = row.right;
      else if (row.field === 'configuration')
        draft.configuration = CONFIGURATIONS.findIndex((name) => name === row.right);
      else draft[row.field] = Number(row.right);
    }
  }

  /** What people call the trim of a make; empty where the text names none. */
  trimName(make: string, trim: string): string {
    if (trim === '') return '';
    return (this.#trims.get(`${make}|${trim.toLowerCase()}`) ?? trim).replace(DRIVE_BEHIND, '');
  }

  /** Gives a car of the right name the body that people see. */
  seeBody(draft: Draft, trim: string, codes: Uint8Array): void {
    const found = this.#bodies
      .get(draft.model)
      ?.find((row) => row.instead === draft.body && fits(row, draft, trim, codes));
    if (found === undefined) return;
    draft.body = found.body;
    draft.bodyLabel = found.label;
  }

  /** Gives a car of a family with one body that body, unless its VIN tells another, and the name that people have for it. */
  seeFamily(draft: Draft): void {
    const found = this.#families
      .get(draft.model)
      ?.find(({ make, generation }) => make === draft.make && (generation === '*' || generation === draft.generation));
    if (found === undefined || (draft.body !== 'unknown' && draft.body !== found.body)) return;
    draft.body = found.body;
    draft.possibleBodies = [];
    if (draft.bodyLabel === '' || draft.bodyLabel === found.usual) draft.bodyLabel = found.label;
  }
}

function isText(field: CorrectedField): field is TextField {
  return TEXT_FIELDS.some((name) => name === field);
}

/** A field's value as the rows write it. */
function said(draft: Draft, field: CorrectedField): string {
  return field === 'configuration' ? (CONFIGURATIONS[draft.configuration] ?? '') : String(draft[field]);
}

function push<Row>(rows: Map<string, Row[]>, model: string, row: Row): void {
  const list = rows.get(model);
  if (list === undefined) rows.set(model, [row]);
  else list.push(row);
}

function circumstances(word: (column: number) => string, years: Uint16Array, row: number): Circumstances {
  const vin = word(2)
    .split(' ')
    .filter((key) => key !== '')
    .map((key) => ({
      at: Number(key.charAt(0)) - 1,
      codes: new Set(Array.from(key.slice(2), (character) => CODE_OF[character.charCodeAt(0)] ?? 0)),
    }));
  const text = word(3) === '' ? undefined : new RegExp(word(3), 'i');
  return { make: word(0), from: years[row * 2] ?? 0, to: years[row * 2 + 1] ?? 0, vin, text };
}

/** A car of unknown year fits only what holds in all years. */
function fits(row: Circumstances, draft: Draft, trim: string, codes: Uint8Array): boolean {
  if (row.make !== draft.make) return false;
  const year = draft.modelYear;
  if (row.from !== 0 && (year === 0 || year < row.from)) return false;
  if (row.to !== 0 && (year === 0 || year > row.to)) return false;
  if (row.text !== undefined && !row.text.test(trim === '' ? draft.badge || draft.modelCode : trim)) return false;
  return row.vin.every(({ at, codes: allowed }) => allowed.has(codes[at] ?? 0));
}
