import type { Section } from '../catalog/container.ts';

/** Joins two columns of one type, one behind the other. */
export function joined<T extends Section>(first: T, second: T): T {
  const Column = first.constructor as new (length: number) => T;
  const both = new Column(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Joins the starts of two lists, one behind the other: each entry ends where the next one starts. */
export function joinedStarts(first: Uint32Array, second: Uint32Array): Uint32Array {
  const last = first.at(-1) ?? 0;
  return joined(
    first,
    second.subarray(1).map((start) => start + last),
  );
}
