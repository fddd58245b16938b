import { ELEMENT } from '@marque/decoder/format';

/** The displacements that vPIC converts into one another (docs/vpic-procedures.md 1.4.9). */
export const DISPLACEMENTS: ReadonlySet<number> = new Set([
  ELEMENT.displacementCc,
  ELEMENT.displacementCi,
  ELEMENT.displacementL,
]);

/** The two conversions that start from each displacement, in vPIC's order. */
export const CONVERSIONS: readonly { from: number; to: number; operator: '*' | '/'; factor: string }[] = [
  { from: ELEMENT.displacementCc, to: ELEMENT.displacementCi, operator: '/', factor: '16.387064' },
  { from: ELEMENT.displacementCi, to: ELEMENT.displacementCc, operator: '*', factor: '16.387064' },
  { from: ELEMENT.displacementCc, to: ELEMENT.displacementL, operator: '/', factor: '1000.' },
  { from: ELEMENT.displacementL, to: ELEMENT.displacementCc, operator: '*', factor: '1000' },
  { from: ELEMENT.displacementCi, to: ELEMENT.displacementL, operator: '*', factor: '0.016387064' },
  { from: ELEMENT.displacementL, to: ELEMENT.displacementCi, operator: '/', factor: '0.016387064' },
];

/** SQL Server gives a quotient at least so many digits after the point. */
const LEAST_SCALE = 6;

interface Decimal {
  digits: bigint;
  /** Digits after the point. */
  scale: number;
}

/**
 * Converts a value as NHTSA's own service prints it, which is SQL Server's decimal arithmetic: a quotient is cut off,
 * not rounded, after as many digits as the two numbers call for. "0" where the value is not a number.
 */
export function convert(value: string, operator: '*' | '/', factor: string): string {
  const left = decimal(value);
  const right = decimal(factor);
  if (left === null || right === null || (operator === '/' && right.digits === 0n)) return '0';
  if (operator === '*') return print({ digits: left.digits * right.digits, scale: left.scale + right.scale });
  const scale = Math.max(LEAST_SCALE, left.scale + precisionOf(right) + 1);
  const power = 10n ** BigInt(scale + right.scale - left.scale);
  return print({ digits: (left.digits * power) / right.digits, scale });
}

function decimal(text: string): Decimal | null {
  const match = /^\s*(\d*)(?:\.(\d*))?\s*$/.exec(text);
  if (match === null || `${match[1]}${match[2] ?? ''}` === '') return null;
  const fraction = match[2] ?? '';
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** Returns all digits of a number, those after the point at least. */
function precisionOf({ digits, scale }: Decimal): number {
  return Math.max(digits.toString().length, scale);
}

function print(value: Decimal): string {
  const text = value.digits.toString().padStart(value.scale + 1, '0');
  if (value.scale === 0) return text;
  return `${text.slice(0, -value.scale)}.${text.slice(-value.scale)}`;
}
