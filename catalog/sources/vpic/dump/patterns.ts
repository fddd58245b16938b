import { microseconds, type PatternColumns } from '../../../src/vpic/tables.ts';
import { numberOf } from './numbers.ts';

const FIRST_ROOM = 1 << 16;
/** The limit of an element's number, of sixteen bits. */
const MOST_ELEMENTS = 0xffff;

/** The columns of vPIC's patterns while they are read: up to 1.7 million rows, each text kept once. */
export class PatternCollector {
  count = 0;
  #id = new Int32Array(FIRST_ROOM);
  #schema = new Int32Array(FIRST_ROOM);
  #element = new Uint16Array(FIRST_ROOM);
  #changed = new Float64Array(FIRST_ROOM);
  readonly #key: string[] = [];
  readonly #attribute: string[] = [];
  readonly #texts = new Map<string, string>();

  /** Takes (id, vinschemaid, keys, elementid, attributeid, createdon, updatedon). */
  add(fields: readonly (string | null)[]): void {
    const [id, schema, key, element, attribute, created, updated] = fields;
    if (this.count === this.#id.length) this.#grow();
    const row = this.count++;
    this.#id[row] = numberOf(id, 'pattern id');
    this.#schema[row] = numberOf(schema, 'vinschemaid of a pattern');
    this.#element[row] = Math.min(MOST_ELEMENTS, numberOf(element, 'elementid of a pattern'));
    this.#changed[row] = microseconds(updated ?? created ?? null);
    this.#key.push(this.#once(key ?? ''));
    this.#attribute.push(this.#once(attribute ?? ''));
  }

  /** Returns the rows of these elements, in the order of their ids: vPIC's last tie-break. */
  columns(elements: ReadonlySet<number>): PatternColumns {
    const order = new Uint32Array(this.count);
    let count = 0;
    for (let row = 0; row < this.count; row++) {
      if (elements.has(this.#element[row] as number)) order[count++] = row;
    }
    const kept = order.subarray(0, count);
    const ids = this.#id;
    kept.sort((a, b) => (ids[a] as number) - (ids[b] as number));
    return {
      count,
      id: Int32Array.from(kept, (row) => this.#id[row] as number),
      schema: Int32Array.from(kept, (row) => this.#schema[row] as number),
      key: Array.from(kept, (row) => this.#key[row] as string),
      element: Uint16Array.from(kept, (row) => this.#element[row] as number),
      attribute: Array.from(kept, (row) => this.#attribute[row] as string),
      changed: Float64Array.from(kept, (row) => this.#changed[row] as number),
    };
  }

  /**
   * Returns the first of equal texts. A text that is a piece of its line keeps the whole line in memory; so the first
   * is copied out of it.
   */
  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const copy = Buffer.from(text).toString();
    this.#texts.set(copy, copy);
    return copy;
  }

  #grow(): void {
    const room = this.#id.length * 2;
    this.#id = grown(new Int32Array(room), this.#id);
    this.#schema = grown(new Int32Array(room), this.#schema);
    this.#element = grown(new Uint16Array(room), this.#element);
    this.#changed = grown(new Float64Array(room), this.#changed);
  }
}

function grown<Column extends Int32Array | Uint16Array | Float64Array>(larger: Column, column: Column): Column {
  larger.set(column);
  return larger;
}
