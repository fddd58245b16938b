import type { SpecField } from '../report/fields.ts';
import type { Tolerance } from '../report/tolerance.ts';

/** Whole numbers, in an array or in a list. */
type Numbers = Pick<readonly number[], 'length' | 'at'>;

/**
 * Returns the most common value if all are within the tolerance, else 0; also 0 without values. Ties: the smallest.
 * Values are above 0.
 */
export function agreed(values: Numbers, tolerance: Tolerance): number {
  if (values.length === 0) return 0;
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values.at(at) as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const most = tolerance.kind === 'share' ? low * (1 + tolerance.share) : low + tolerance.distance;
  if (high > most) return 0;
  return low === high ? low : commonest(values);
}

function commonest(values: Numbers): number {
  const sorted = Int32Array.from({ length: values.length }, (_, at) => values.at(at) as number).toSorted();
  let best = 0;
  let bestCount = 0;
  for (let at = 0; at < sorted.length;) {
    const value = sorted[at] as number;
    let next = at + 1;
    while (sorted[next] === value) next++;
    if (next - at > bestCount) {
      best = value;
      bestCount = next - at;
    }
    at = next;
  }
  return best;
}

/** Returns the common part of several texts of a field; "" if there is none. */
export function sharedText(field: SpecField, texts: ReadonlySet<string>): string {
  if (texts.size === 1) for (const only of texts) return only;
  if (field === 'driveType') return sharedDrive(texts);
  if (field === 'transmission') return sharedGearbox(texts);
  return field === 'emissionsStandard' ? sharedStandard(texts) : '';
}

/**
 * Returns the common part of several gearboxes: the same with its speeds, the kind, or that they are automatic; "" if
 * there is none.
 */
function sharedGearbox(gearboxes: ReadonlySet<string>): string {
  const kinds = new Set<string>();
  let automatic = true;
  for (const gearbox of gearboxes) {
    kinds.add(gearbox.replace(/, \d+-speed$/, ''));
    automatic &&= gearbox.startsWith('Automatic');
  }
  if (kinds.size === 1) for (const only of kinds) return only;
  return automatic && gearboxes.size > 0 ? 'Automatic' : '';
}

/**
 * Returns the standard that all certificates name, or the tier or Euro level that they share; "" where not even that.
 */
function sharedStandard(standards: ReadonlySet<string>): string {
  const tiers = new Set<string>();
  for (const standard of standards) tiers.add(standard.replace(/ Bin \d+$/, '').replace(/^(Euro \d).*/, '$1'));
  if (tiers.size === 1) for (const only of tiers) return /^(?:Tier|Euro) /.test(only) ? only : '';
  return '';
}

/**
 * Returns the common driven wheels. All-wheel and four-wheel drive are one thing to the wheels, and sources name the
 * same car by both.
 */
function sharedDrive(drives: ReadonlySet<string>): string {
  for (const drive of drives) if (!drivesAll(drive)) return '';
  return drives.size === 0 ? '' : 'All-wheel drive';
}

/** Returns true if all wheels are driven. */
export function drivesAll(drive: string): boolean {
  return drive === 'All-wheel drive' || drive === 'Four-wheel drive';
}
