/** Removes the keys that hold undefined: with exact optional properties, absent and undefined are two things. */
export function dropUndefined<T extends object>(fields: {
  [K in keyof T]?: T[K] | undefined;
}): asserts fields is T {
  for (const [key, value] of Object.entries(fields)) if (value === undefined) Reflect.deleteProperty(fields, key);
}
