/** Returns true if a value is an object of named values, rather than a list or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path in an object, where a dot leads into an object within; undefined: none. */
export function valueAt(whole: unknown, path: string): unknown {
  let value = whole;
  for (const name of path.split('.')) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
