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
 * Masks reports about texts that are no VIN, as new ones are: in the text, in a note that repeats it, and in their
 * hashes, from which a serial number could be guessed. Further fields are dropped, and texts with escapes are cut to
 * nothing, since a cut might part one.
 *
 * @param position the function that returns the place of a text in another.
 */
function withoutTypedSerials(position: 'instr' | 'strpos'): string {
  const at = (text: string): string => `${position}(claim, '${text}')`;
  const from = `${at('"vin":"')} + 7`;
  const until = at('","expectedManufacturer":"');
  const note = at(',"note":"');
  const end = `coalesce(nullif(${at(',"expectedFields":{')}, 0), ${note})`;
  const typed = `substr(claim, ${from}, ${until} - (${from}))`;
  const kept = `CASE WHEN ${position}(${typed}, '\\') = 0 THEN substr(${typed}, 1, 11) ELSE '' END || '******'`;
  const noted = `substr(claim, ${note})`;
  return `
  UPDATE correction_reports SET
    claim_hash = 'masked:' || coalesce(duplicate_of, id), actual_report = NULL,
    claim = '{"vin":"' || ${kept} || substr(claim, ${until}, ${end} - (${until}))
      || CASE WHEN ${position}(${typed}, '\\') = 0 THEN replace(${noted}, ${typed}, ${kept}) ELSE ',"note":""}' END
  WHERE vin IS NULL AND claim_hash NOT LIKE 'erased:%' AND length(${typed}) > 11;`;
}

/**
 * Empties the long texts of duplicates, as new ones are stored: SQLite read past them, in the thread that answers
 * requests, wherever thousands of equal reports are listed or decided.
 */
const FIRST_KEEPS_TEXTS = `
  UPDATE correction_reports SET actual_report = NULL, answered = NULL WHERE duplicate_of IS NOT NULL;`;

/**
 * Completes databases on which the first forms of two migrations ran: one left garbage of reports about partial VINs that
 * named further fields (PostgreSQL refused it), the other made one index less.
 */
const MENDED = {
  sqlite: `
  UPDATE correction_reports SET claim = '{"vin":"******","expectedManufacturer":"","expectedModel":"","expectedBodyStyle":"","expectedModelYear":"","note":""}'
  WHERE vin IS NULL AND claim_hash LIKE 'masked:%' AND NOT json_valid(claim);
  CREATE INDEX IF NOT EXISTS correction_reports_queued ON correction_reports (state, vin, id);`,
  postgres: `
  CREATE INDEX IF NOT EXISTS correction_reports_queued ON correction_reports (state, vin, id);`,
};

const FIRST_SERIALS_IN_REPORTS = [
  'c6b6a06bfc519df3586c489dda90e587a84687ebaa62d24213995d77e7eb7b16',
  '049a5e5836330b8e7ceb23efe3f2128dbb5090d6b9e6b4d3b913d661a88a6394',
];
const FIRST_TEXTS_OF_EQUAL_REPORTS = ['0d60c86787f2dccebe9b91e392e2699da1615e4a99f8817d545f4365f710c00c'];

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
  {
    name: 'serials-in-reports',
    sqlite: withoutTypedSerials('instr'),
    postgres: withoutTypedSerials('strpos'),
    earlier: FIRST_SERIALS_IN_REPORTS,
  },
  { name: 'equal-reports', sqlite: '', postgres: '' },
  {
    name: 'texts-of-equal-reports',
    sqlite: FIRST_KEEPS_TEXTS,
    postgres: FIRST_KEEPS_TEXTS,
    earlier: FIRST_TEXTS_OF_EQUAL_REPORTS,
  },
  { name: 'decided-reports', sqlite: '', postgres: '' },
  { name: 'mended-steps', ...MENDED },
  { name: 'lines-of-pages', sqlite: '', postgres: '' },
  { name: 'many-keys', sqlite: '', postgres: '' },
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
