import { COLUMN_VALUES } from '../vin/characters.ts';
import type { VpicTables } from './tables.ts';

/**
 * For one schema, which entries allow which character in which column, as bit sets: a VIN's entries are the AND of one
 * bit set a column. That takes the same few steps for a schema of a thousand keys with classes and wildcards as
 * for one of ten literal ones.
 */
export interface SchemaIndex {
  /** The first entry of the schema in the tables. */
  first: number;
  /** Words in one bit set. */
  words: number;
  /** The columns that some entry looks at. */
  columns: Uint8Array;
  /** The slot from which on the columns are of positions 12 to 17. */
  serialSlot: number;
  /** Bit sets by (column, character or `UNKNOWN`, word). */
  bits: Uint32Array;
}

const WORD = 32;

/** The key column of position 12. */
const FIRST_OF_SERIAL = 7;

/** Builds the index of a schema: once, when a VIN first asks for it. */
export function buildSchemaIndex(tables: VpicTables, schema: number): SchemaIndex {
  const first = tables.schemaEntries[schema] ?? 0;
  const count = (tables.schemaEntries[schema + 1] ?? 0) - first;
  const words = Math.max(1, Math.ceil(count / WORD));
  const columns = columnsOf(tables, first, count);
  const bits = new Uint32Array(columns.length * COLUMN_VALUES * words);
  for (const [slot, column] of columns.entries()) fillColumn(tables, { first, count, words, slot, column }, bits);
  const serial = columns.findIndex((column) => column >= FIRST_OF_SERIAL);
  return { first, words, columns, serialSlot: serial < 0 ? columns.length : serial, bits };
}

function columnsOf(tables: VpicTables, first: number, count: number): Uint8Array {
  const used = new Set<number>();
  for (let entry = first; entry < first + count; entry++) {
    const key = tables.entryKey[entry] ?? 0;
    const end = tables.keyStart[key + 1] ?? 0;
    for (let token = tables.keyStart[key] ?? 0; token < end; token++) used.add(tables.keyColumn[token] ?? 0);
  }
  // A schema whose every key is all wildcards still needs a column to read its entries from.
  if (used.size === 0) used.add(0);
  return Uint8Array.from([...used].toSorted((a, b) => a - b));
}

interface Column {
  first: number;
  count: number;
  words: number;
  slot: number;
  column: number;
}

function fillColumn(tables: VpicTables, at: Column, bits: Uint32Array): void {
  const { first, count, words, slot, column } = at;
  const base = slot * COLUMN_VALUES * words;
  const open = new Uint32Array(words);
  for (let index = 0; index < count; index++) {
    const token = tokenAt(tables, tables.entryKey[first + index] ?? 0, column);
    const word = index >>> 5;
    const bit = 1 << (index & 31);
    if (token < 0) {
      open[word] = (open[word] ?? 0) | bit;
      continue;
    }
    const set = (tables.keySet[token] ?? 0) * 2;
    for (let low = tables.setWords[set] ?? 0; low !== 0; low &= low - 1) {
      const cell = base + (31 - Math.clz32(low & -low)) * words + word;
      bits[cell] = (bits[cell] ?? 0) | bit;
    }
    for (let high = tables.setWords[set + 1] ?? 0; high !== 0; high &= high - 1) {
      const cell = base + (63 - Math.clz32(high & -high)) * words + word;
      bits[cell] = (bits[cell] ?? 0) | bit;
    }
  }
  for (let code = 0; code < COLUMN_VALUES; code++) {
    for (let word = 0; word < words; word++) {
      const cell = base + code * words + word;
      bits[cell] = (bits[cell] ?? 0) | (open[word] ?? 0);
    }
  }
}

function tokenAt(tables: VpicTables, key: number, column: number): number {
  const end = tables.keyStart[key + 1] ?? 0;
  for (let token = tables.keyStart[key] ?? 0; token < end; token++) {
    if (tables.keyColumn[token] === column) return token;
  }
  return -1;
}
