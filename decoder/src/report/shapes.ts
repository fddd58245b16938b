/**
 * Writes objects that have some of a list of properties, in its order. V8 stores an object that grows by computed names
 * as a hash table; to copy one that already has them, and to fill it in, takes a third of the time, so one is kept for
 * each set of them.
 */
export class Shapes {
  readonly #names: readonly string[];
  readonly #shapes = new Map<number, Record<string, unknown>>();

  /** @param names at most 30. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Returns an object with the values that are not empty; undefined where all are. @param values one for each name. */
  write(values: readonly unknown[]): Record<string, unknown> | undefined {
    const names = this.#names;
    let set = 0;
    for (let at = 0; at < names.length; at++) {
      // Empty texts and zeros; V8 compares a value of any type with both of them several times as long.
      if (values[at]) set |= 1 << at;
    }
    if (set === 0) return undefined;
    const written = Object.assign({}, this.#shapes.get(set) ?? this.#add(set));
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest);
      written[names[at] as string] = values[at];
    }
    return written;
  }

  #add(set: number): Record<string, unknown> {
    const shape: Record<string, unknown> = {};
    for (const [at, name] of this.#names.entries()) if (((set >>> at) & 1) === 1) shape[name] = '';
    // A copy is no hash table.
    const copy = { ...shape };
    this.#shapes.set(set, copy);
    return copy;
  }
}
