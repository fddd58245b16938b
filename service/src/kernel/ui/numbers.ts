/** A whole number with thousands separated. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}
