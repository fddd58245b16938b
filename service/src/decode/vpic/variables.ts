import type { VpicElement, VpicFacts, VpicRow } from '@marque/decoder';

import type { Depth } from '../depth.ts';
import type { Cell } from './formats.ts';
import type { VpicItem } from './decode-many.ts';
import { VARIABLE } from './asked.ts';

/** Variables that every plan sees: the errors, and those of the basic report. */
const BASIC: ReadonlySet<number> = new Set(Object.values(VARIABLE));

/** The order of NHTSA's lists: the faults of the VIN come first. */
const FIRST: readonly number[] = [
  VARIABLE.suggestedVin,
  VARIABLE.errorCode,
  VARIABLE.possibleValues,
  VARIABLE.additionalErrorText,
  VARIABLE.errorText,
  VARIABLE.descriptor,
];

/** Parts of the vehicle in the order of the list; the others follow by number. */
const GROUPS: readonly string[] = [
  'General',
  'Exterior / Body',
  'Exterior / Dimension',
  'Exterior / Truck',
  'Exterior / Trailer',
  'Exterior / Wheel tire',
  'Interior',
  'Interior / Seat',
  'Mechanical / Transmission',
  'Mechanical / Drivetrain',
  'Mechanical / Brake',
  'Mechanical / Battery',
  'Mechanical / Battery / Charger',
  'Engine',
  'Passive Safety System',
  'Passive Safety System / Air Bag Location',
  'Active Safety System',
  'Internal',
];

/** Empty, where NHTSA's other variables are null. */
const NEVER_NULL: ReadonlySet<number> = new Set([VARIABLE.suggestedVin, VARIABLE.possibleValues]);

interface Values {
  text: string;
  valueId: number | undefined;
}

/** Shapes decodes as NHTSA's API does. */
export class Variables {
  readonly #facts: VpicFacts;
  /** Twelve thousand of them: read when the first vehicle is shaped. */
  #makeIds: ReadonlyMap<string, number> | undefined;
  readonly #shown: readonly VpicElement[];
  /** Elements including those that NHTSA adds for its crash statistics; the catalog has no values of these. */
  readonly #extended: readonly VpicElement[];
  /** Fields of the flat shape, in the order of their names; a number for those that are variables. */
  readonly #flat: readonly (readonly [name: string, variable: number | undefined])[];

  constructor(facts: VpicFacts) {
    this.#facts = facts;
    const elements = facts.elements();
    const listed = elements.filter(({ shown }) => shown).toSorted(asListed);
    const crash = elements.filter(({ shown, code }) => !shown && /^NCSA(?!Map)/.test(code));
    this.#shown = listed;
    this.#extended = [...listed, ...crash].toSorted(asListed);
    const variables = elements
      .filter(({ shown, group }) => shown || group !== '')
      .map(({ code, id }) => [code, id] as const);
    const numbers = ['VIN', 'MakeID', 'ModelID', 'ManufacturerId'].map((name) => [name, undefined] as const);
    this.#flat = [...variables, ...numbers].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns one result for each variable: the shape of DecodeVin. */
  list(item: VpicItem, depth: Depth, extended: boolean): Record<string, Cell>[] {
    const values = this.#valuesOf(item, depth);
    return (extended ? this.#extended : this.#shown).map(({ id, name, dataType }) => {
      const held = values.get(id);
      const value = held === undefined || (held.text === '' && !NEVER_NULL.has(id)) ? null : held.text;
      return { Value: value, ValueId: valueIdOf(id, dataType, value, held), Variable: name, VariableId: id };
    });
  }

  /** Returns one result with a field for each variable: the shape of DecodeVinValues. */
  flat(item: VpicItem, depth: Depth): Record<string, Cell> {
    const values = this.#valuesOf(item, depth);
    const result: Record<string, Cell> = {};
    for (const [name, id] of this.#flat) result[name] = id === undefined ? '' : (values.get(id)?.text ?? '');
    const idOf = (variable: number): string => String(values.get(variable)?.valueId ?? '');
    result['VIN'] = item.vin;
    result['MakeID'] = idOf(VARIABLE.make);
    result['ModelID'] = idOf(VARIABLE.model);
    result['ManufacturerId'] = idOf(VARIABLE.manufacturer);
    return result;
  }

  #valuesOf(item: VpicItem, depth: Depth): ReadonlyMap<number, Values> {
    const rows = item.kind === 'decoded' || item.kind === 'untold' ? item.rows : this.#errorRows(item);
    const values = new Map<number, Values>();
    for (const [id, text, valueId] of rows) {
      if (depth !== 'full' && !BASIC.has(id)) continue;
      const held = values.get(id);
      // A vehicle has several values of some variables.
      if (held === undefined) values.set(id, { text, valueId: id === VARIABLE.make ? this.#makeId(text) : valueId });
      else if (!held.text.split(', ').includes(text)) held.text = `${held.text}, ${text}`;
    }
    return values;
  }

  #makeId(name: string): number | undefined {
    this.#makeIds ??= new Map(this.#facts.makes().map((make) => [make.name.toUpperCase(), make.id]));
    return this.#makeIds.get(name);
  }

  #errorRows(item: Extract<VpicItem, { kind: 'malformed' | 'exhausted' }>): VpicRow[] {
    const code = item.kind === 'malformed' ? item.code : 429;
    const text = item.kind === 'malformed' ? this.#facts.errorText(code) : LIMIT_REACHED;
    return [
      [VARIABLE.suggestedVin, ''],
      [VARIABLE.errorCode, String(code)],
      [VARIABLE.possibleValues, ''],
      [VARIABLE.additionalErrorText, item.kind === 'malformed' ? item.message : ''],
      [VARIABLE.errorText, text],
    ];
  }
}

const LIMIT_REACHED = '429 - The monthly limit was reached before this VIN. It was not decoded and not charged.';

/**
 * Returns the id of a value. Text has none; a value that NHTSA looks up has one, or null without a value. An error's id
 * is its code.
 */
function valueIdOf(id: number, dataType: string, value: string | null, held: Values | undefined): string | null {
  if (id === VARIABLE.errorCode) return value;
  if (dataType !== 'lookup') return '';
  return value === null ? null : String(held?.valueId ?? '');
}

function asListed(a: VpicElement, b: VpicElement): number {
  return placeOf(a) - placeOf(b) || a.id - b.id;
}

function placeOf({ id, group }: VpicElement): number {
  const first = FIRST.indexOf(id);
  if (first >= 0) return first - FIRST.length;
  const place = GROUPS.indexOf(group);
  return place < 0 ? GROUPS.length : place;
}
