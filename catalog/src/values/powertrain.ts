import { keyOf, once, readTable } from './table.ts';
import {
  DRIVE_TYPES,
  FUEL_TYPES,
  TRANSMISSIONS,
  type DriveType,
  type FuelType,
  type Transmission,
} from './vocabulary.ts';
import { wordOf } from './words.ts';

const LEVELS = ['mild', 'hybrid', 'plug-in', 'electric', 'hydrogen'] as const;
type Level = (typeof LEVELS)[number];

const fuels = once(() => readTable('fuels.csv', ['vpic', 'fuel']));
const levels = once(() => readTable('electrification.csv', ['vpic', 'level']));
const drives = once(() => readTable('drives.csv', ['vpic', 'drive']));
const transmissions = once(() => readTable('transmissions.csv', ['vpic', 'transmission']));

/** Pairs of fuels that have a common name; the order in which vPIC lists them does not matter. */
const PAIRS: ReadonlyMap<string, FuelType> = new Map([
  ['Gasoline+Flex fuel', 'Flex fuel'],
  ['Gasoline+Ethanol', 'Flex fuel'],
  // M85 vehicles of the 1990s ran on gasoline as well.
  ['Gasoline+Methanol', 'Flex fuel'],
  ['Gasoline+CNG', 'Gasoline/CNG'],
  ['Gasoline+LPG', 'Gasoline/LPG'],
  ['Diesel+CNG', 'Diesel/CNG'],
  ['Diesel+Natural gas', 'Diesel/CNG'],
]);

/**
 * Returns a vehicle's fuel, from vPIC's primary fuel (element 24), secondary fuel (66) and electrification level (126).
 *
 * Undefined if vPIC's strings do not decide it: an unknown string, or two fuels without a common name.
 */
export function fuelType(primary: string, secondary?: string, electrification?: string): FuelType | undefined {
  const first = fuelOf(primary);
  if (first === undefined) return undefined;
  const level = levelOf(electrification);
  if (level !== undefined && level !== 'mild') return LEVEL_FUELS[level];
  // A mild hybrid burns its fuel like any other car, though vPIC may list its electric motor as the second.
  if (level === 'mild' && first !== 'Electric') return first;
  const second = secondary === undefined || secondary === '' ? first : fuelOf(secondary);
  if (second === undefined) return undefined;
  if (first === second) return first;
  if (first === 'Hydrogen' || second === 'Hydrogen') return withElectric(first, second) ? 'Hydrogen' : undefined;
  // Unless a level decides, the makers list electricity first for cars with a plug, and second for hybrids, including
  // mild ones.
  if (withElectric(first, second)) return first === 'Electric' ? 'Plug-in hybrid' : 'Hybrid';
  return PAIRS.get(`${first}+${second}`) ?? PAIRS.get(`${second}+${first}`);
}

function fuelOf(vpicFuel: string): FuelType | undefined {
  const row = fuels().get(keyOf(vpicFuel));
  return row && wordOf(FUEL_TYPES, row.fuel);
}

function withElectric(first: FuelType, second: FuelType): boolean {
  return first === 'Electric' || second === 'Electric';
}

function levelOf(electrification: string | undefined): Level | undefined {
  const row = electrification === undefined ? undefined : levels().get(keyOf(electrification));
  return row && wordOf(LEVELS, row.level);
}

const LEVEL_FUELS: Readonly<Record<Exclude<Level, 'mild'>, FuelType>> = {
  hybrid: 'Hybrid',
  'plug-in': 'Plug-in hybrid',
  electric: 'Electric',
  hydrogen: 'Hydrogen',
};

/** Returns the driven wheels of vPIC's drive type (element 15); undefined if it is ambiguous ("2WD/4WD"). */
export function driveType(vpicDrive: string): DriveType | undefined {
  const drive = drives().get(keyOf(vpicDrive))?.drive;
  return drive ? wordOf(DRIVE_TYPES, drive) : undefined;
}

/**
 * Returns the gearbox of vPIC's transmission style (element 37) and number of speeds (63): "Automatic, 8-speed".
 *
 * Undefined if the style is unknown or only names the final drive ("Motorcycle - Chain Drive").
 */
export function transmission(
  style: string,
  speeds?: number,
): Transmission | `${Transmission}, ${number}-speed` | undefined {
  const name = transmissions().get(keyOf(style))?.transmission;
  if (!name) return undefined;
  const kind = wordOf(TRANSMISSIONS, name);
  const stepped = !/CVT|single-speed/.test(kind);
  return stepped && speeds !== undefined && speeds > 1 ? `${kind}, ${speeds}-speed` : kind;
}
