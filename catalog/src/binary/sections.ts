/** The typed arrays that make up a catalog file, by name. */
export type Sections = Map<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>;

/** Writes a column that is zero almost everywhere as the places and values of the rest. */
export function putSparse(sections: Sections, name: string, values: readonly number[]): void {
  const held = values.flatMap((value, index) => (value === 0 ? [] : [[index, value] as const]));
  sections.set(
    `${name}.at`,
    Uint32Array.from(held, ([index]) => index),
  );
  sections.set(
    `${name}.is`,
    Uint32Array.from(held, ([, value]) => value),
  );
}

/** Writes whole numbers from 0 as narrow as the largest allows. */
export function putNarrow(sections: Sections, name: string, values: readonly number[]): void {
  const most = values.reduce((most, value) => Math.max(most, value), 0);
  const Column = most <= 0xff ? Uint8Array : most <= 0xffff ? Uint16Array : Uint32Array;
  sections.set(name, Column.from(values));
}

/** Writes a column of few distinct values as a table of them and the number of each row's. */
export function putDistinct(sections: Sections, name: string, values: readonly number[]): void {
  const ids = new Map<number, number>();
  const rows = values.map((value) => {
    const known = ids.get(value);
    if (known !== undefined) return known;
    ids.set(value, ids.size);
    return ids.size - 1;
  });
  if (ids.size > 0xffff) throw new Error(`${name} has more than 65,535 distinct values; the format has no room.`);
  sections.set(`${name}.values`, Uint32Array.from(ids.keys()));
  sections.set(`${name}.rows`, Uint16Array.from(rows));
}
