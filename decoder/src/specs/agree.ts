/** How near to each other the values of all variants must be for one of them to be answered. */
export type Tolerance = { kind: 'share'; share: number } | { kind: 'distance'; distance: number };

/** Values below this are not said. */
const NONE = 0;

/** Scratch for one column's values over the variants that a VIN allows; reused from call to call. */
export class Values {
  readonly #values: number[] = [];

  clear(): void {
    this.#values.length = 0;
  }

  add(value: number): void {
    this.#values.push(value);
  }

  /**
   * The commonest of the values if all are within the tolerance, the smallest of several that are as common; 0 where they
   * are not, or where there is none.
   */
  agreed(tolerance: Tolerance): number {
    const values = this.#values;
    if (values.length === 0) return NONE;
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const most = tolerance.kind === 'share' ? low * (1 + tolerance.share) : low + tolerance.distance;
    return high > most ? NONE : this.#commonest();
  }

  #commonest(): number {
    const values = this.#values.toSorted((a, b) => a - b);
    let best = NONE;
    let bestCount = 0;
    for (let at = 0; at < values.length;) {
      const value = values[at] as number;
      let next = at + 1;
      while (values[next] === value) next++;
      if (next - at > bestCount) {
        best = value;
        bestCount = next - at;
      }
      at = next;
    }
    return best;
  }
}

/** What several gearboxes share: the same with its speeds, the kind, or that they are automatic; "" where nothing. */
export function sharedGearbox(gearboxes: ReadonlySet<string>): string {
  if (gearboxes.size === 1) for (const only of gearboxes) return only;
  const kinds = new Set<string>();
  let automatic = true;
  for (const gearbox of gearboxes) {
    kinds.add(gearbox.replace(/, \d+-speed$/, ''));
    automatic &&= gearbox.startsWith('Automatic');
  }
  if (kinds.size === 1) for (const only of kinds) return only;
  return automatic && gearboxes.size > 0 ? 'Automatic' : '';
}

/** The standard that all certificates name, or the tier that they share; "" where not even that. */
export function sharedStandard(standards: ReadonlySet<string>): string {
  if (standards.size === 1) for (const only of standards) return only;
  const tiers = new Set<string>();
  for (const standard of standards) tiers.add(standard.replace(/ Bin \d+$/, ''));
  if (tiers.size === 1) for (const only of tiers) return only.startsWith('Tier') ? only : '';
  return '';
}

/** All-wheel and four-wheel drive are one thing to the wheels, and sources name the same car by both. */
export function sharedDrive(drives: ReadonlySet<string>): string {
  if (drives.size === 1) for (const only of drives) return only;
  for (const drive of drives) if (!drivesAll(drive)) return '';
  return drives.size === 0 ? '' : 'All-wheel drive';
}

/** Whether all wheels are driven. */
export function drivesAll(drive: string): boolean {
  return drive === 'All-wheel drive' || drive === 'Four-wheel drive';
}
