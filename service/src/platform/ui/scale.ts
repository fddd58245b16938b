/** The least round number (1, 2 or 5 times a power of ten) that is not below a value; at least 1. Pure. */
export function roundAbove(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? 10 * power;
}
