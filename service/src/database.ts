import {
  type Conversions,
  type Database,
  type DatabaseLocation,
  type Definition,
  type Migration,
  migrationsOf,
  openDatabase as openWith,
  restoreDatabase as restoreWith,
  type RestoreSummary,
  type Role,
  SHARED_TABLES,
  type Tables,
} from './kernel/db/index.ts';
import { SLICES } from './slices.ts';

/**
 * Erases reports that tell the serial number of a VIN that is stored masked: earlier programs stored those of candidates
 * so, and no erasure of a VIN found them.
 */
const WITHOUT_SERIALS = `
  UPDATE decodes SET report = '{"vin":"' || vin || '"}'
  WHERE vin LIKE '%*' AND report NOT LIKE '%"vin":"' || vin || '"%';`;

/**
 * Every migration, oldest first, with its changes besides adding the tables, columns and indexes that are declared as
 * new since its number: the first has 100.
 */
const STEPS: readonly Migration[] = [
  { name: 'start', sqlite: '', postgres: '' },
  { name: 'file-readings', sqlite: '', postgres: '' },
  { name: 'request-minutes', sqlite: '', postgres: '' },
  { name: 'enrichment-asks', sqlite: '', postgres: '' },
  { name: 'serials-of-masked-vins', sqlite: WITHOUT_SERIALS, postgres: WITHOUT_SERIALS },
];

let known: Promise<Definition> | undefined;

/** Returns the definition of this program's database: the tables and routines of all slices. */
export function definition(): Promise<Definition> {
  return (known ??= defined());
}

async function defined(): Promise<Definition> {
  const tables: Tables[] = [SHARED_TABLES];
  const routines: string[] = [];
  const conversions: Conversions[] = [];
  const monthlyTables = SLICES.flatMap((slice) => slice.monthlyTables ?? []);
  for (const slice of SLICES) {
    if (slice.tables !== undefined) tables.push(await slice.tables());
    if (slice.conversions !== undefined) conversions.push(await slice.conversions());
    if (slice.routines !== undefined) routines.push(...(await slice.routines()));
  }
  const migrations = migrationsOf(Object.assign({}, ...tables), STEPS);
  return { migrations, routines, monthlyTables, conversions: Object.assign({}, ...conversions) };
}

/**
 * Opens the database and brings it to this program's version.
 *
 * @param notifyPeers notifies the other processes of this service that their copies are out of date.
 * @throws UnusableDatabaseError when the database is newer than the program, or another service has the SQLite folder.
 */
export async function openDatabase(
  location: DatabaseLocation,
  role: Role,
  notifyPeers?: () => Promise<void>,
): Promise<Database> {
  return openWith(await definition(), location, role, notifyPeers);
}

/** Restores a backup, of this version or an older one, into an empty database. */
export async function restoreDatabase(location: DatabaseLocation, file: string): Promise<RestoreSummary> {
  return restoreWith(location, file, await definition());
}
