import type { Draft } from '../decode/draft.ts';
import { sharedDrive, sharedGearbox, sharedStandard, type Tolerance, Values } from './agree.ts';
import { Candidates } from './candidates.ts';
import type { SpecColumnName } from './columns.ts';
import type { SpecBasis, SpecMarket, SpecTable, SpecTables } from './tables.ts';
import { wantedOf } from './wanted.ts';

/** The number fields of a draft that tables may fill. */
type NumberField =
  | 'displacementCc'
  | 'cylinders'
  | 'powerKw'
  | 'batteryCapacityKwh'
  | 'lengthMm'
  | 'widthMm'
  | 'heightMm'
  | 'wheelbaseMm'
  | 'curbWeightKg'
  | 'grossWeightKg'
  | 'groundClearanceMm'
  | 'cargoVolumeLiters'
  | 'cargoVolumeMaxLiters';

type TextField = 'fuelType' | 'driveType' | 'transmission' | 'emissionsStandard';

/** One value that the tables settle, with where it is from. */
export type SpecAnswer = {
  /** Title of the source. */
  source: string;
  basis: SpecBasis;
  market: SpecMarket;
  /** How many variants the VIN allows, all of which agree. */
  variants: number;
} & ({ kind: 'number'; field: NumberField; value: number } | { kind: 'text'; field: TextField; value: string });

/** Where codes for the driven wheels are from: the makers' keys to their VINs, as submitted under 49 CFR 565. */
const CODES = "The makers' keys to their VINs";

const NONE: readonly SpecAnswer[] = [];

const PLUGGED: ReadonlySet<string | number> = new Set(['Electric', 'Plug-in hybrid']);

interface NumberRule {
  field: NumberField;
  column: SpecColumnName;
  tolerance: Tolerance;
  /** A variant whose value no source says: blocks the answer, unless most variants have one. */
  unknown: 'blocks' | 'minority';
  factor?: number;
}

const share = (share: number): Tolerance => ({ kind: 'share', share });
const distance = (distance: number): Tolerance => ({ kind: 'distance', distance });

const NUMBERS: readonly NumberRule[] = [
  { field: 'displacementCc', column: 'cc', tolerance: distance(60), unknown: 'blocks' },
  { field: 'cylinders', column: 'cylinders', tolerance: distance(0), unknown: 'blocks' },
  { field: 'powerKw', column: 'powerKw', tolerance: share(0.05), unknown: 'blocks' },
  { field: 'batteryCapacityKwh', column: 'batteryKwh', tolerance: distance(30), unknown: 'blocks', factor: 0.1 },
  { field: 'lengthMm', column: 'lengthMm', tolerance: distance(75), unknown: 'minority' },
  { field: 'widthMm', column: 'widthMm', tolerance: distance(75), unknown: 'minority' },
  { field: 'heightMm', column: 'heightMm', tolerance: distance(75), unknown: 'minority' },
  { field: 'wheelbaseMm', column: 'wheelbaseMm', tolerance: distance(75), unknown: 'minority' },
  { field: 'curbWeightKg', column: 'curbKg', tolerance: share(0.05), unknown: 'minority' },
  { field: 'grossWeightKg', column: 'grossKg', tolerance: share(0.05), unknown: 'minority' },
  { field: 'groundClearanceMm', column: 'clearanceMm', tolerance: share(0.1), unknown: 'minority' },
  { field: 'cargoVolumeLiters', column: 'cargoL', tolerance: share(0.05), unknown: 'minority' },
  { field: 'cargoVolumeMaxLiters', column: 'cargoMaxL', tolerance: share(0.05), unknown: 'minority' },
];

const TEXTS: readonly {
  field: TextField;
  column: SpecColumnName;
  shared: (values: ReadonlySet<string>) => string;
}[] = [
  { field: 'fuelType', column: 'fuel', shared: (fuels) => (fuels.size === 1 ? ([...fuels][0] ?? '') : '') },
  { field: 'driveType', column: 'drive', shared: sharedDrive },
  { field: 'transmission', column: 'gearbox', shared: sharedGearbox },
  { field: 'emissionsStandard', column: 'emissions', shared: sharedStandard },
];

/**
 * Joins a reading with the tables of specifications: a value is answered only when all variants that the VIN still allows
 * agree. What the VIN itself says is never answered again, but narrows the variants.
 */
export class SpecJoin {
  readonly #tables: SpecTables;
  readonly #candidates: Candidates;
  readonly #values = new Values();

  constructor(tables: SpecTables) {
    this.#tables = tables;
    this.#candidates = new Candidates(tables);
  }

  /** What the tables settle of a draft beyond what it has, with the tables: also the evidence. */
  answers(draft: Draft, market: SpecMarket, codes: Uint8Array): readonly SpecAnswer[] {
    if (draft.make === '' || draft.model === '') return NONE;
    const key = this.#tables.key(draft.make, draft.model);
    if (key < 0) return NONE;
    const coded =
      market === 'north-america' && draft.driveType === '' ? this.#tables.driveByCode(key, draft.modelYear, codes) : '';
    return this.#join(draft, market, key, codes, coded);
  }

  #join(draft: Draft, market: SpecMarket, key: number, codes: Uint8Array, coded: string): SpecAnswer[] {
    const answers: SpecAnswer[] = [];
    let wanted = wantedOf(draft, codes, coded);
    // The first table that speaks of a field decides it: another could only repeat it, or contradict it unheard.
    const decided = new Set<NumberField | TextField>();
    for (const table of this.#tables.tables) {
      if (table.market !== market) continue;
      // A list of cars with a plug says nothing of a car whose fuel is open: the same name may burn gasoline.
      if (table.columns.batteryKwh.length > 0 && !PLUGGED.has(fuelOf(draft, answers))) continue;
      let rows = this.#candidates.gather(table, key, wanted);
      if (rows.length === 0 && coded !== '') {
        // The list knows no such car with the wheels that the VIN's characters tell: one of the two errs on them.
        const uncoded = wantedOf(draft, codes, '');
        rows = this.#candidates.gather(table, key, uncoded);
        if (rows.length > 0 && table.columns.drive.length > 0) {
          decided.add('driveType');
          wanted = uncoded;
        }
      }
      if (rows.length === 0) continue;
      for (const rule of NUMBERS) this.#number(table, rows, rule, draft, decided, answers);
      if (table.listsAll) for (const rule of TEXTS) this.#text(table, rows, rule, draft, decided, answers);
    }
    if (coded !== '' && !decided.has('driveType')) {
      const said = { source: CODES, basis: 'registered', market, variants: 1 } as const;
      answers.push({ kind: 'text', field: 'driveType', value: coded, ...said });
    }
    return answers;
  }

  #number(
    table: SpecTable,
    rows: readonly number[],
    { field, column, tolerance, unknown, factor = 1 }: NumberRule,
    draft: Draft,
    decided: Set<string>,
    answers: SpecAnswer[],
  ): void {
    const values = table.columns[column];
    if (draft[field] !== 0 || decided.has(field) || values.length === 0) return;
    this.#values.clear();
    let said = 0;
    for (const row of rows) {
      const value = values[row] as number;
      if (value === 0) continue;
      this.#values.add(value);
      said++;
    }
    if (said === 0) return;
    decided.add(field);
    if (unknown === 'blocks' ? !this.#coversEngines(table, rows, values) : said * 2 < rows.length) return;
    const value = this.#values.agreed(tolerance);
    if (value === 0) return;
    const scaled = factor === 1 ? value : Math.round(value * factor * 10) / 10;
    answers.push({ kind: 'number', field, value: scaled, ...originOf(table, field, rows.length) });
  }

  /** Whether each row without a value has the engine of a row with one; an electric car has other motors for other wheels. */
  #coversEngines({ columns }: SpecTable, rows: readonly number[], values: Uint8Array | Uint16Array): boolean {
    return rows.every(
      (row) =>
        values[row] !== 0 ||
        rows.some(
          (other) =>
            values[other] !== 0 &&
            (columns.cc[row] ?? 0) === (columns.cc[other] ?? 0) &&
            (columns.cylinders[row] ?? 0) === (columns.cylinders[other] ?? 0) &&
            (columns.charged[row] ?? 0) === (columns.charged[other] ?? 0) &&
            (columns.badge[row] ?? 0) === (columns.badge[other] ?? 0) &&
            (columns.fuel[row] ?? 0) === (columns.fuel[other] ?? 0) &&
            (!this.#isElectric(columns, row) || (columns.drive[row] ?? 0) === (columns.drive[other] ?? 0)),
        ),
    );
  }

  #isElectric({ fuel }: SpecTable['columns'], row: number): boolean {
    return this.#tables.word(fuel[row] ?? 0) === 'Electric';
  }

  #text(
    table: SpecTable,
    rows: readonly number[],
    { field, column, shared }: (typeof TEXTS)[number],
    draft: Draft,
    decided: Set<string>,
    answers: SpecAnswer[],
  ): void {
    const values = table.columns[column];
    if (draft[field] !== '' || decided.has(field) || values.length === 0) return;
    const words = new Set<string>();
    let said = 0;
    for (const row of rows) {
      const word = values[row] as number;
      if (word === 0) continue;
      words.add(this.#tables.word(word));
      said++;
    }
    // Drives are said of all cars or of the plain ones only: a part of them says nothing of the rest.
    if (said === 0 || (field === 'driveType' && said < rows.length)) return;
    decided.add(field);
    if (said * 2 < rows.length) return;
    const value = shared(words);
    if (value !== '') answers.push({ kind: 'text', field, value, ...originOf(table, field, rows.length) });
  }
}

/** Curb weights out of test weights are an estimate, whatever the table's other values are. */
function originOf(table: SpecTable, field: string, variants: number): Omit<SpecAnswer, 'kind' | 'field' | 'value'> {
  const estimated = field === 'curbWeightKg' && table.id === 'epa';
  return { source: table.title, basis: estimated ? 'estimated' : table.basis, market: table.market, variants };
}

function fuelOf(draft: Draft, answers: readonly SpecAnswer[]): string | number {
  return draft.fuelType !== '' ? draft.fuelType : (answers.find(({ field }) => field === 'fuelType')?.value ?? '');
}
