/**
 * Keeps short-lived objects in an array whose places are used again. A `Set` makes a new table after as many additions as
 * it has room for, and the old one, once V8 has moved it to the old generation, keeps the objects that it held alive.
 */
export class Places<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** The number of objects. */
  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Adds an object. @returns its place. */
  take(value: T): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = value;
    return place;
  }

  /** Removes the object at a place. */
  free(place: number): void {
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** Returns all objects. */
  taken(): T[] {
    return this.#places.filter((value) => value !== undefined);
  }
}
