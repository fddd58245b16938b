import type { StringTable } from '../binary/string-table.ts';
import { checkLimit } from './limits.ts';
import type { VpicTables } from './tables.ts';

/** The values of each element, numbered from 0 in order of first use. */
export class ValueTable {
  readonly #tables: VpicTables;
  readonly #strings: StringTable;
  readonly #byElement = new Map<number, Map<string, number>>();

  constructor(tables: VpicTables, strings: StringTable) {
    this.#tables = tables;
    this.#strings = strings;
  }

  /** Returns the number of an attribute among the values of its element. */
  index(element: number, attribute: string): number {
    let values = this.#byElement.get(element);
    if (values === undefined) this.#byElement.set(element, (values = new Map()));
    const known = values.get(attribute);
    if (known !== undefined) return known;
    const index = values.size;
    checkLimit(`values of element ${element}`, index + 1, 0xffff);
    values.set(attribute, index);
    return index;
  }

  /** Returns the attributes of an element in the order of their numbers. */
  attributes(element: number): string[] {
    return [...(this.#byElement.get(element)?.keys() ?? [])];
  }

  elements(): number[] {
    return [...this.#byElement.keys()].toSorted((a, b) => a - b);
  }

  /** Returns the text of an attribute: looked up if the element has a table, with line breaks and tabs made blanks. */
  text(element: number, attribute: string): string {
    const table = this.#tables.lookupOfElement.get(element);
    const names = table === undefined ? undefined : this.#tables.lookups.get(table);
    // A table that the reduced download dropped leaves the number, as NHTSA's own service prints it.
    const text = names === undefined ? attribute : (names.get(attribute) ?? '');
    return text.replaceAll(/[\t\r\n]/g, ' ');
  }

  stringId(element: number, attribute: string): number {
    return this.#strings.id(this.text(element, attribute));
  }
}
