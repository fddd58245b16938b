import type { BodyStyle } from '@marque/decoder';

const LABELS: Readonly<Partial<Record<BodyStyle, string>>> = {
  sedan: 'Sedan',
  wagon: 'Station wagon',
  hatchback: 'Hatchback',
  coupe: 'Coupe',
  cabrio: 'Convertible',
  suv: 'SUV',
  van: 'Van',
  pickup: 'Pickup',
  truck: 'Truck',
  bus: 'Bus',
  motorcycle: 'Motorcycle',
  trailer: 'Trailer',
};

/** The bodies that were built with three doors and with five. */
const DOORS: ReadonlySet<BodyStyle> = new Set(['hatchback']);

/** Returns the common name of a body: "Station wagon", "Hatchback, 5-door". Undefined for `other` and `unknown`. */
export function bodyLabel(body: BodyStyle, doors?: number): string | undefined {
  const label = LABELS[body];
  return label !== undefined && doors !== undefined && DOORS.has(body) ? `${label}, ${doors}-door` : label;
}

const DRIVES: Readonly<Record<string, string>> = {
  FWD: 'Front-wheel drive',
  RWD: 'Rear-wheel drive',
  AWD: 'All-wheel drive',
};

/** Returns the drive in words for its abbreviation in a table. */
export function driveLabel(abbreviation: string): string {
  return DRIVES[abbreviation] ?? abbreviation;
}
