import { lowerBound, REQUIRED, upperBound } from '../bound.ts';
import { csvRecords } from '../csv.ts';
import type { TableRow } from './columns.ts';

/** The file with the results of labeled cars for each table, written by `npm run accuracy -- --tables`. */
export const TABLE_TRUST = 'judgement.csv';

/** Origins of a row: a publication, labeled cars, or general knowledge. */
export const ORIGINS = ['published', 'labelled', 'known'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Parts of a row that labels can check, each with its columns. Other columns go with those that identify the car. */
const COLUMNS = {
  identity: ['make', 'model', 'model_year'],
  body: ['body', 'body_label', 'doors'],
  fuel: ['fuel', 'battery_kwh'],
  engine: ['cc', 'kw', 'engine', 'engine_code', 'cylinders'],
  drive: ['drive', 'transmission'],
  plant: ['plant_city', 'plant_country'],
} as const satisfies Record<string, readonly (keyof TableRow)[]>;

export type Part = keyof typeof COLUMNS;
const PARTS = Object.keys(COLUMNS) as Part[];

/**
 * Counts of right answers of a table's rows with one kind of origin, about groups of labeled cars that did not make
 * them.
 */
export interface TableRecord {
  table: string;
  origin: Origin;
  part: Part;
  right: number;
  count: number;
}

/** Hundreds of tables are tested: only what would happen to one in a thousand by chance refutes one. */
const REFUTING_Z = 3;

/** One group against a table may be a mistaken label. */
const REFUTING_GROUPS = 2;

/**
 * The lower bound at which a table from memory answers engines (ten groups without one against): meanings of engine
 * codes were written maker by maker, and one maker's rows are no evidence for another's.
 */
const OWN_ENGINES = 0.78;

/** The sources that are labeled cars, which alone confirm nothing. */
const LABELS: ReadonlySet<string> = new Set(['LABELS', 'LISTINGS', 'BRLOTS', 'EUC', 'EUC2', 'LEARNED']);
const LABELS_ONLY: ReadonlySet<string> = new Set([...LABELS, 'G']);

/** Returns the origin of a row. Confidence A and B are given to statements of a publication. */
export function originOf(row: TableRow): Origin {
  const keys = row.source.split('+');
  if (keys.some((key) => LABELS.has(key)) && keys.every((key) => LABELS_ONLY.has(key))) return 'labelled';
  return row.confidence === 'A' || row.confidence === 'B' ? 'published' : 'known';
}

/** Returns the parts of which a row has a column. */
function partsOf(row: TableRow): Part[] {
  return PARTS.filter((part) => COLUMNS[part].some((column) => row[column] !== undefined));
}

/**
 * Decides which rows of confidence C and G answer: those of origins that reach the lower bound, over all tables that
 * their own labeled cars do not contradict. Such rows have one author, so a table that few cars test is scored by the
 * others, but for engines.
 */
export class TableTrust {
  readonly #refuted = new Set<string>();
  readonly #carried = new Set<string>();

  constructor(records: readonly TableRecord[]) {
    const pools = new Map<string, { right: number; count: number; part: Part }>();
    for (const { table, origin, part, right, count } of records) {
      const required = requiredOf(part);
      if (count - right >= REFUTING_GROUPS && upperBound(right, count, REFUTING_Z) < required) {
        this.#refuted.add(`${table} ${origin} ${part}`);
        continue;
      }
      if (isJudgedAlone(origin, part)) {
        if (lowerBound(right, count) >= OWN_ENGINES) this.#carried.add(`${table} ${origin} ${part}`);
        continue;
      }
      const pool = pools.get(`${origin} ${part}`) ?? { right: 0, count: 0, part };
      pools.set(`${origin} ${part}`, pool);
      pool.right += right;
      pool.count += count;
    }
    for (const [name, { right, count, part }] of pools) {
      if (lowerBound(right, count) >= requiredOf(part)) this.#carried.add(name);
    }
  }

  /** Returns a row with the columns that it may answer; undefined if there are none. */
  carried(table: string, row: TableRow): TableRow | undefined {
    if (row.confidence === 'A' || row.confidence === 'B' || row.agreed !== undefined) return row;
    const origin = originOf(row);
    const parts = partsOf(row);
    const held = parts.filter((part) => !this.#carries(table, origin, part));
    if (parts.length === held.length) return undefined;
    if (held.length === 0) return row;
    const dropped = new Set<string>(held.flatMap((part) => COLUMNS[part]));
    return Object.fromEntries(Object.entries(row).filter(([column]) => !dropped.has(column))) as TableRow;
  }

  #carries(table: string, origin: Origin, part: Part): boolean {
    const own = `${table} ${origin} ${part}`;
    return this.#carried.has(isJudgedAlone(origin, part) ? own : `${origin} ${part}`) && !this.#refuted.has(own);
  }

  /** Returns true if labeled cars contradict a table's rows of one origin and part. */
  refutes({ table, origin, part }: TableRecord): boolean {
    return this.#refuted.has(`${table} ${origin} ${part}`);
  }
}

function isJudgedAlone(origin: Origin, part: Part): boolean {
  return origin === 'known' && part === 'engine';
}

function requiredOf(part: Part): number {
  return part === 'identity' ? REQUIRED.identity : REQUIRED.detail;
}

/** Reads the file of records; an empty text has none. */
export function readTableTrust(text: string): TableRecord[] {
  return csvRecords(text, TABLE_TRUST).map(({ table = '', origin, part, right, count }) => ({
    table,
    origin: ORIGINS.find((known) => known === origin) ?? 'known',
    part: PARTS.find((known) => known === part) ?? 'identity',
    right: Number(right),
    count: Number(count),
  }));
}

/** Returns the file of records. */
export function writeTableTrust(records: readonly TableRecord[]): string {
  const lines = records.map(({ table, origin, part, right, count }) => [table, origin, part, right, count].join(','));
  return `${['table,origin,part,right,count', ...lines].join('\n')}\n`;
}
