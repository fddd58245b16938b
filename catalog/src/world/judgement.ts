import { lowerBound, REQUIRED, upperBound } from '../labels/bound.ts';
import { csvRecords } from '../csv.ts';
import type { TableRow } from './columns.ts';

/** The file that keeps what labeled cars said of each table, written by `npm run accuracy -- --tables`. */
export const JUDGEMENT = 'judgement.csv';

/** What a row rests on: a publication, labeled cars, or what people know. */
export const ORIGINS = ['published', 'labelled', 'known'] as const;
export type Origin = (typeof ORIGINS)[number];

/** What rows say that labels can be held against, each with its columns. What is not named here goes with what identifies the car. */
const COLUMNS = {
  identity: ['make', 'model', 'model_year'],
  body: ['body', 'body_label', 'doors'],
  fuel: ['fuel', 'battery_kwh'],
  engine: ['cc', 'kw', 'engine', 'engine_code', 'cylinders'],
  drive: ['drive', 'transmission'],
  plant: ['plant_city', 'plant_country'],
} as const satisfies Record<string, readonly (keyof TableRow)[]>;

export type Part = keyof typeof COLUMNS;
export const PARTS = Object.keys(COLUMNS) as Part[];

/** How many answers of a table's rows with one kind of origin were right, about groups of labeled cars that did not make them. */
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
 * What an engine's code means was written maker by maker, and one maker's rows say nothing of another's: a table from memory answers
 * engines only where its own labeled cars carry it, at this lower bound (ten groups without one against).
 */
const OWN_ENGINES = 0.78;

/** The sources that are labeled cars, and those that alone bear nothing out. */
const LABELS: ReadonlySet<string> = new Set(['LABELS', 'LISTINGS', 'BRLOTS', 'EUC', 'EUC2', 'LEARNED']);
const LABELS_ONLY: ReadonlySet<string> = new Set([...LABELS, 'G']);

/** What a row rests on. Confidence A and B are given to what a publication states. */
export function originOf(row: TableRow): Origin {
  const keys = row.source.split('+');
  if (keys.some((key) => LABELS.has(key)) && keys.every((key) => LABELS_ONLY.has(key))) return 'labelled';
  return row.confidence === 'A' || row.confidence === 'B' ? 'published' : 'known';
}

/** The parts that a row says something of. */
function partsOf(row: TableRow): Part[] {
  return PARTS.filter((part) => COLUMNS[part].some((column) => row[column] !== undefined));
}

/**
 * Decides which rows of confidence C and G answer: those of origins that the lower bound carries, over all tables that their own
 * labeled cars do not refute. Such rows have one author, so a table that few cars test is judged by the others, but for engines.
 */
export class Judgement {
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

  /** A row with what it may answer of what it says; undefined where that is nothing. */
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

  /** Whether labeled cars refute what a table says of one origin and part. */
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
export function readJudgement(text: string): TableRecord[] {
  return csvRecords(text, JUDGEMENT).map(({ table = '', origin, part, right, count }) => ({
    table,
    origin: ORIGINS.find((known) => known === origin) ?? 'known',
    part: PARTS.find((known) => known === part) ?? 'identity',
    right: Number(right),
    count: Number(count),
  }));
}

/** The file of records. */
export function writeJudgement(records: readonly TableRecord[]): string {
  const lines = records.map(({ table, origin, part, right, count }) => [table, origin, part, right, count].join(','));
  return `${['table,origin,part,right,count', ...lines].join('\n')}\n`;
}
