/** The least round number (1, 2 or 5 times a power of ten) that is not below a value; at least 1. Pure. */
function roundAbove(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? 10 * power;
}

/** The marks of an axis from 0 on, evenly apart at round numbers; the last is just above a value. Pure. */
export function axisMarks(value: number): number[] {
  const step = roundAbove(value / 5);
  // A label is drawn above a line at the value: it needs some space.
  const steps = Math.max(1, Math.floor((value * 1.04) / step) + 1);
  return Array.from({ length: steps + 1 }, (_, place) => place * step);
}
