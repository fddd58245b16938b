import type { SpecRow } from '../../src/specs/columns.ts';
import { defined } from './epa.ts';
import { badgeOf } from './epa-words.ts';
import type { Families } from './names.ts';
import { readRecords } from './records.ts';

const KG_PER_LB = 0.453_592_37;
const MM_PER_INCH = 25.4;

/**
 * Reads curb and gross weight, ground clearance and outside dimensions of model year 2022 from the base-year fleet of
 * EPA's OMEGA model (`vehicles_ldv_*.csv`). Its maker is the parent company: the make is found by the model's name
 * among those that EPA's list of that market has (`listed`: an MDX is a Honda in Australia), and a name that two makes
 * have is left out. Its batteries and electric motors are the model's estimates and are not taken.
 */
export async function readOmega(file: string, families: Families, listed: readonly SpecRow[]): Promise<SpecRow[]> {
  const sold = new Set(listed.map(({ make, model }) => `${make}|${model}`));
  const rows: SpecRow[] = [];
  for await (const record of readRecords(file, { skip: 1 })) {
    const text = (name: string): string => record.get(name) ?? '';
    const year = Number(text('model_year'));
    const vehicle = text('vehicle_name');
    const make = makeOf(vehicle, text('manufacturer_id'), families, sold);
    if (make === undefined) continue;
    for (const name of families.find(make, vehicle)) {
      const row = {
        ...name,
        badge: badgeOf(name.badge),
        from: year,
        to: year,
        ...defined({
          cc: scaled(text('engine_displacement_liters'), 1000, 100),
          cylinders: Number(text('engine_cylinders')) || undefined,
          drive: DRIVES.get(text('drive_system')),
          ...dimensionsOf(text),
        }),
      };
      rows.push(row);
    }
  }
  return rows.filter((row) => row.curbKg !== undefined || row.grossKg !== undefined || row.clearanceMm !== undefined);
}

/**
 * Returns the parent company's one make that has a family of this name; of several, the one that sells it in North
 * America.
 */
function makeOf(vehicle: string, parent: string, families: Families, sold: ReadonlySet<string>): string | undefined {
  const known = (PARENTS.get(parent) ?? [parent]).filter((make) => families.find(make, vehicle).length > 0);
  const isSold = (make: string): boolean =>
    families.find(make, vehicle).some(({ model }) => sold.has(`${make}|${model}`));
  const makes = known.length === 1 ? known : known.filter(isSold);
  return makes.length === 1 ? makes[0] : undefined;
}

function dimensionsOf(text: (name: string) => string): Partial<SpecRow> {
  const curbKg = scaled(text('curbweight_lbs'), KG_PER_LB, 1);
  const grossKg = scaled(text('gvwr_lbs'), KG_PER_LB, 1);
  return defined({
    curbKg,
    grossKg: grossKg !== undefined && (curbKg === undefined || grossKg > curbKg) ? grossKg : undefined,
    clearanceMm: scaled(text('ground_clearance_in'), MM_PER_INCH, 1),
  });
}

const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Aston Martin Lagonda', ['Aston Martin']],
  ['BMW', ['BMW', 'MINI', 'Rolls-Royce']],
  ['Ford', ['Ford', 'Lincoln']],
  ['General Motors', ['Chevrolet', 'GMC', 'Buick', 'Cadillac']],
  ['Honda', ['Honda', 'Acura']],
  ['Hyundai', ['Hyundai', 'Genesis']],
  ['JLR', ['Jaguar', 'Land Rover']],
  ['Mercedes Benz', ['Mercedes-Benz']],
  ['Nissan', ['Nissan', 'Infiniti']],
  ['Stellantis', ['Jeep', 'Dodge', 'Chrysler', 'Ram', 'Alfa Romeo', 'Fiat']],
  ['Toyota', ['Toyota', 'Lexus']],
  ['VW', ['Volkswagen', 'Audi', 'Porsche', 'Bentley', 'Lamborghini']],
]);

const DRIVES = new Map([
  ['FWD', 'Front-wheel drive'],
  ['RWD', 'Rear-wheel drive'],
]);

function scaled(text: string, factor: number, step: number): number | undefined {
  const value = Math.round((Number(text) * factor) / step) * step;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
