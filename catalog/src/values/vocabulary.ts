/**
 * The words for a vehicle's fuel. "Flex fuel" runs on gasoline or ethanol in any mix; a mild hybrid keeps the name of
 * the fuel it burns; the names with a stroke are of vehicles with two tanks.
 */
export const FUEL_TYPES = [
  'Gasoline',
  'Diesel',
  'Electric',
  'Hybrid',
  'Plug-in hybrid',
  'Flex fuel',
  'CNG',
  'LNG',
  'LPG',
  'Natural gas',
  'Hydrogen',
  'Ethanol',
  'Methanol',
  'Gasoline/CNG',
  'Gasoline/LPG',
  'Diesel/CNG',
] as const;

export type FuelType = (typeof FUEL_TYPES)[number];

/** The words for the driven wheels; wheels by driven wheels ("6x4") for trucks, if only these are known. */
export const DRIVE_TYPES = [
  'Front-wheel drive',
  'Rear-wheel drive',
  'All-wheel drive',
  'Four-wheel drive',
  '4x2',
  '6x2',
  '6x4',
  '6x6',
  '8x2',
  '8x4',
  '8x6',
  '8x8',
  '10x4',
  '10x6',
  '10x8',
  '10x10',
  '12x4',
  '12x6',
  '14x4',
  '14x6',
] as const;

export type DriveType = (typeof DRIVE_TYPES)[number];

/** The kinds of gearbox. The number of speeds follows where it is known: "Automatic, 8-speed". */
export const TRANSMISSIONS = [
  'Manual',
  'Automatic',
  'Automated manual',
  'Automatic, CVT',
  'Automatic, e-CVT',
  'Automatic, dual-clutch',
  'Automatic, single-speed',
] as const;

export type Transmission = (typeof TRANSMISSIONS)[number];

/**
 * The words for the kind of vehicle. "Light commercial vehicle" is for layouts outside North America, "Machine" for
 * tractors and excavators.
 */
export const VEHICLE_TYPES = [
  'Passenger car',
  'Multipurpose passenger vehicle',
  'Light commercial vehicle',
  'Truck',
  'Bus',
  'Motorcycle',
  'Trailer',
  'Machine',
  'Low-speed vehicle',
  'Off-road vehicle',
  'Incomplete vehicle',
] as const;

export type VehicleType = (typeof VEHICLE_TYPES)[number];
