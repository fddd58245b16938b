import { ELEMENT } from '@marque/decoder/format';

/** The displacements that vPIC converts into one another (ALGORITHM 1.4.9). */
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

/** PostgreSQL's numeric keeps digits in groups of four and aims at 16 significant digits in a quotient. */
const GROUP = 4;
const MINIMUM_SIGNIFICANT_DIGITS = 16;

interface Decimal {
  digits: bigint;
  scale: number;
}

/** Converts a value as PostgreSQL's numeric arithmetic prints it; "0" where the value is no number. */
export function convert(value: string, operator: '*' | '/', factor: string): string {
  const left = decimal(value);
  const right = decimal(factor);
  if (left === null || right === null) return '0';
  if (operator === '*') return print({ digits: left.digits * right.digits, scale: left.scale + right.scale });
  const scale = Math.max(quotientScale(left, right), left.scale, right.scale);
  return print({ digits: divideRounded(left, right, scale), scale });
}

function decimal(text: string): Decimal | null {
  const match = /^\s*(\d*)(?:\.(\d*))?\s*$/.exec(text);
  if (match === null || `${match[1]}${match[2] ?? ''}` === '') return null;
  const fraction = match[2] ?? '';
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** The group (base 10,000) and weight of the first non-zero group, as PostgreSQL's select_div_scale looks at them. */
function firstGroup(value: Decimal): { group: number; weight: number } {
  const text = value.digits.toString().padStart(value.scale + 1, '0');
  const whole = text.slice(0, text.length - value.scale);
  const fraction = text.slice(text.length - value.scale);
  const head = whole.padStart(Math.ceil(whole.length / GROUP) * GROUP, '0');
  const tail = fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, '0');
  const groups = `${head}${tail}`.match(/\d{4}/g) ?? [];
  const at = groups.findIndex((group) => group !== '0000');
  if (at < 0) return { group: 0, weight: 0 };
  return { group: Number(groups[at]), weight: head.length / GROUP - 1 - at };
}

function quotientScale(left: Decimal, right: Decimal): number {
  const a = firstGroup(left);
  const b = firstGroup(right);
  let weight = a.weight - b.weight;
  if (a.group <= b.group) weight--;
  return MINIMUM_SIGNIFICANT_DIGITS - weight * GROUP;
}

function divideRounded(left: Decimal, right: Decimal, scale: number): bigint {
  if (right.digits === 0n) return 0n;
  const power = 10n ** BigInt(scale + right.scale - left.scale);
  const doubled = (left.digits * power * 2n) / right.digits;
  return (doubled + 1n) / 2n;
}

function print(value: Decimal): string {
  const text = value.digits.toString().padStart(value.scale + 1, '0');
  if (value.scale === 0) return text;
  return `${text.slice(0, -value.scale)}.${text.slice(-value.scale)}`;
}
