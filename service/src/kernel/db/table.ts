import type { Generated } from 'kysely';

/**
 * The engines, and what each calls a type. SQLite's strict tables know three; better-auth writes times as ISO texts
 * there.
 */
const TYPES = {
  key: { sqlite: 'TEXT', postgres: 'text COLLATE "C"' },
  text: { sqlite: 'TEXT', postgres: 'text' },
  integer: { sqlite: 'INTEGER', postgres: 'integer' },
  bigint: { sqlite: 'INTEGER', postgres: 'bigint' },
  boolean: { sqlite: 'INTEGER', postgres: 'boolean' },
  timestamp: { sqlite: 'TEXT', postgres: 'timestamptz' },
} as const;

type Engine = 'sqlite' | 'postgres';

/**
 * The number of the first migration, with which every table and column comes that names no other. Programs from before
 * the first release counted theirs from 1: they refuse a database of this one as newer, and this one theirs as older.
 */
export const FIRST_VERSION = 100;

interface ColumnParts {
  type: keyof typeof TYPES;
  isNullable?: boolean;
  isPrimary?: boolean;
  isUnique?: boolean;
  fallback?: string | number;
  /** The text of `CHECK` after the column's name. */
  condition?: string;
  references?: { table: string; column: string; cascades: boolean };
  since?: number;
}

/**
 * A column of a table: its type in queries, `T`, and its definition in both databases. It is not null unless declared
 * so.
 */
export class Column<T> {
  /** Used for its type alone. */
  declare readonly value: T;
  readonly parts: ColumnParts;

  constructor(parts: ColumnParts) {
    this.parts = parts;
  }

  nullable(): Column<T | null> {
    return new Column({ ...this.parts, isNullable: true });
  }

  primary(): Column<T> {
    return new Column({ ...this.parts, isPrimary: true });
  }

  unique(): Column<T> {
    return new Column({ ...this.parts, isUnique: true });
  }

  /** Sets the value of rows that do not name the column. */
  default(fallback: T & (string | number)): Column<Generated<T>> {
    return new Column({ ...this.parts, fallback });
  }

  /** Adds a check. @param condition a condition on its values, without the column's name: `>= 0`. */
  check(condition: string): Column<T> {
    return new Column({ ...this.parts, condition });
  }

  references(table: string): Column<T> {
    return new Column({ ...this.parts, references: { table, column: 'id', cascades: false } });
  }

  /** Refers to a row of another table, with which it is deleted. */
  belongsTo(table: string, column = 'id'): Column<T> {
    return new Column({ ...this.parts, references: { table, column, cascades: true } });
  }

  /** Marks a column that a later migration than its table's added. */
  since(version: number): Column<T> {
    return new Column({ ...this.parts, since: version });
  }
}

/** Declares text that both databases compare and sort by its bytes: ids, and texts to look up. */
export const key = <T extends string = string>(): Column<T> => new Column({ type: 'key' });
/** Declares text that is only stored. */
export const text = <T extends string = string>(): Column<T> => new Column({ type: 'text' });
/** Declares a whole number of at most 32 bits. */
export const integer = <T extends number = number>(): Column<T> => new Column({ type: 'integer' });
/** Declares a whole number of at most 53 bits: counts, and times in epoch milliseconds. */
export const bigint = (): Column<number> => new Column({ type: 'bigint' });
/** Declares 0 or 1. */
export const flag = (): Column<number> => integer().check('IN (0, 1)');
/** Declares one of these texts. */
export const oneOf = <const T extends string>(...values: readonly T[]): Column<T> =>
  text<T>().check(`IN (${values.map((value) => `'${value}'`).join(', ')})`);
/** Declares a flag of better-auth. */
export const authFlag = (): Column<number | boolean> => new Column({ type: 'boolean' });
/** Declares a time of better-auth. */
export const authTime = (): Column<string | Date> => new Column({ type: 'timestamp' });

type Columns = Readonly<Record<string, Column<unknown>>>;

interface TableOptions<Name extends string> {
  /** A primary key of several columns. */
  primaryKey?: readonly Name[];
  /** Conditions on more than one column. */
  checks?: readonly string[];
  /** The columns of each index, by its name, and the migration that created it if that is later than the table's. */
  indexes?: Readonly<Record<string, string | { on: string; since: number }>>;
  /** SQLite keeps the rows in the primary key itself. */
  withoutRowid?: boolean;
  /** PostgreSQL parts the rows by ranges of this column; those outside of all are in a default partition. */
  partitionedBy?: Name;
  /** PostgreSQL fills pages so far, in percent. */
  fillFactor?: number;
  /** Statements that belong to the table: rows that it begins with, triggers. */
  alongside?: Readonly<Record<Engine, string>>;
  /** Came with a later migration than the first. */
  since?: number;
}

/** A table, declared once for queries and both databases. */
export interface Table<Of extends Columns = Columns> {
  columns: Of;
  options: TableOptions<string>;
}

/** Tables by their names. */
export type Tables = Readonly<Record<string, Table>>;

/** The type of the rows of tables, for `Schema`. */
export type Rows<Of extends Tables> = {
  [Name in keyof Of]: RowOf<Of[Name]['columns']>;
};

/** The type of a row with these columns. */
export type RowOf<Of extends Columns> = { [Name in keyof Of]: Of[Name]['value'] };

export function table<const Of extends Columns>(columns: Of, options: TableOptions<keyof Of & string> = {}): Table<Of> {
  return { columns, options };
}

/**
 * Returns the statements of a migration that create tables and add columns and indexes. A table comes after those that
 * it refers to.
 */
export function definitionsSince(tables: Tables, version: number, engine: Engine): string {
  const statements = inOrder(tables).flatMap(([name, { columns, options }]) => {
    const isNew = (options.since ?? FIRST_VERSION) === version;
    const made = isNew
      ? []
      : columnsSince(columns, version, engine).map((column) => `ALTER TABLE ${name} ADD COLUMN ${column};`);
    if (isNew) {
      const first = [...columnsSince(columns, undefined, engine), ...columnsSince(columns, version, engine)];
      made.push(...tableSql(name, first, options, engine));
    }
    for (const [index, on] of Object.entries(options.indexes ?? {})) {
      const { on: of, since } = typeof on === 'string' ? { on, since: options.since ?? FIRST_VERSION } : on;
      if (since === version) made.push(`CREATE INDEX ${index} ON ${name} ${of};`);
    }
    if (isNew && options.alongside !== undefined) made.push(options.alongside[engine].trim());
    return made;
  });
  return statements.join('\n');
}

/** Returns the definitions of the columns that came with a migration; `undefined`: with their table. */
function columnsSince(columns: Columns, version: number | undefined, engine: Engine): string[] {
  return Object.entries(columns)
    .filter(([, { parts }]) => parts.since === version)
    .map(([name, { parts }]) => columnSql(name, parts, engine));
}

/** Sorts by name, so that neither the order of slices nor that of declarations affects a migration's fingerprint. */
function inOrder(tables: Tables): [string, Table][] {
  const placed = new Map<string, Table>();
  const place = (name: string): void => {
    const found = tables[name];
    if (found === undefined) throw new Error(`No table is declared as ${name}, but another one refers to it.`);
    if (placed.has(name)) return;
    for (const { parts } of Object.values(found.columns)) {
      const on = parts.references?.table;
      if (on !== undefined && on !== name) place(on);
    }
    placed.set(name, found);
  };
  for (const name of Object.keys(tables).toSorted()) place(name);
  return [...placed];
}

function columnSql(name: string, parts: ColumnParts, engine: Engine): string {
  const { type, isNullable, isPrimary, isUnique, fallback, condition, references } = parts;
  return [
    `${name} ${TYPES[type][engine]}`,
    ...(isPrimary === true ? ['PRIMARY KEY'] : isNullable === true ? [] : ['NOT NULL']),
    ...(isUnique === true ? ['UNIQUE'] : []),
    ...(fallback === undefined ? [] : [`DEFAULT ${typeof fallback === 'number' ? fallback : `'${fallback}'`}`]),
    ...(condition === undefined ? [] : [`CHECK (${name} ${condition})`]),
    ...(references === undefined ? [] : [`REFERENCES ${references.table} (${references.column})`]),
    ...(references?.cascades === true ? ['ON DELETE CASCADE'] : []),
  ].join(' ');
}

function tableSql(name: string, columns: string[], options: TableOptions<string>, engine: Engine): string[] {
  const { primaryKey, checks = [], partitionedBy } = options;
  const lines = [
    ...columns,
    ...(primaryKey === undefined ? [] : [`PRIMARY KEY (${primaryKey.join(', ')})`]),
    ...checks.map((check) => `CHECK (${check})`),
  ];
  const body = `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n)`;
  if (engine === 'sqlite') return [`${body} STRICT${options.withoutRowid === true ? ', WITHOUT ROWID' : ''};`];
  if (partitionedBy === undefined) {
    return [`${body}${options.fillFactor === undefined ? '' : ` WITH (fillfactor = ${options.fillFactor})`};`];
  }
  return [
    `${body} PARTITION BY RANGE (${partitionedBy});`,
    `CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT;`,
  ];
}
