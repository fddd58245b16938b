import type { VinCodes } from '../vin/vin-codes.ts';
import { ELEMENT, ELEMENTS, MULTI_VALUED_ELEMENTS } from '../vpic-elements.ts';
import { DIGITS_OF_VIN, type VpicTables } from './tables.ts';

/** The origin of an element's value. */
export const ORIGIN = { none: 0, pattern: 1, engineModel: 2, digits: 3 } as const;

const MULTI_VALUED = new Uint8Array(ELEMENTS);
for (const element of MULTI_VALUED_ELEMENTS) MULTI_VALUED[element] = 1;

/** Priority of a row that gives digits of the VIN; patterns have their link's first year, engine models none. */
const DIGITS_PRIORITY = 100;
const ENGINE_MODEL_PRIORITY = 50;
const NO_YEAR = 0;

/** One more value of an element that may have several. */
export interface ExtraValue {
  element: number;
  value: number;
  entry: number;
  origin: number;
}

/**
 * The result of one pass: for each element the winning value. The arrays are reused from VIN to VIN; only the elements
 * in `touched` are cleared.
 */
export class Pass {
  year = NO_YEAR;
  wmi = -1;
  readonly origin = new Uint8Array(ELEMENTS);
  readonly value = new Uint16Array(ELEMENTS);
  /** The row of the winner (patterns), and its entry, which has the key. */
  readonly row = new Int32Array(ELEMENTS);
  readonly entry = new Int32Array(ELEMENTS);
  readonly priority = new Int32Array(ELEMENTS);
  /** 1 = rows of equal or lower rank had another value: relevant if the year is unknown. */
  readonly split = new Uint8Array(ELEMENTS);
  readonly touched = new Uint8Array(ELEMENTS);
  touchedCount = 0;
  readonly extras: ExtraValue[] = [];
  /** Rows that matched at all, before any was outranked. */
  matched = 0;
  engineRow = -1;
  engineEntry = -1;
  enginePriority = -1;

  reset(wmi: number, year: number): void {
    for (let index = 0; index < this.touchedCount; index++) this.origin[this.touched[index] ?? 0] = ORIGIN.none;
    this.touchedCount = 0;
    if (this.extras.length > 0) this.extras.length = 0;
    this.wmi = wmi;
    this.year = year;
    this.matched = 0;
    this.engineRow = -1;
    this.engineEntry = -1;
    this.enginePriority = -1;
  }

  has(element: number): boolean {
    return this.origin[element] !== ORIGIN.none;
  }
}

/**
 * Matches a VIN against the schemas of its WMI in a year: the pattern part of one pass (docs/vpic-procedures.md
 * 1.4.2-7).
 */
export class Matcher {
  readonly tables: VpicTables;

  constructor(tables: VpicTables) {
    this.tables = tables;
  }

  /** Runs one pass over a VIN. Year 0 = unknown: then all the WMI's schemas count. */
  run(pass: Pass, vin: VinCodes, wmi: number, year: number): void {
    pass.reset(wmi, year);
    const { tables } = this;
    const end = tables.wmiLinks[wmi + 1] ?? 0;
    for (let link = tables.wmiLinks[wmi] ?? 0; link < end; link++) {
      const from = tables.linkFrom[link] ?? 0;
      if (year !== NO_YEAR && (year < from || year > (tables.linkTo[link] ?? 0))) continue;
      this.#matchSchema(pass, vin, tables.linkSchema[link] ?? 0, from);
    }
    if (pass.engineRow >= 0) this.#addEngineModel(pass);
  }

  #matchSchema(pass: Pass, vin: VinCodes, schema: number, priority: number): void {
    const { schemaEntries, entryKey } = this.tables;
    const end = schemaEntries[schema + 1] as number;
    for (let entry = schemaEntries[schema] as number; entry < end; entry++) {
      if (keyHolds(this.tables, entryKey[entry] as number, vin)) this.#takeEntry(pass, entry, priority);
    }
  }

  #takeEntry(pass: Pass, entry: number, priority: number): void {
    const { entryRows, rowElement, rowValue } = this.tables;
    const end = entryRows[entry + 1] as number;
    for (let row = entryRows[entry] as number; row < end; row++) {
      pass.matched++;
      const element = rowElement[row] as number;
      const value = rowValue[row] as number;
      if (value === DIGITS_OF_VIN) {
        this.#offer(pass, element, row, entry, DIGITS_PRIORITY, ORIGIN.digits);
      } else if (MULTI_VALUED[element] === 1) {
        pass.extras.push({ element, value, entry, origin: ORIGIN.pattern });
      } else {
        this.#offer(pass, element, row, entry, priority, ORIGIN.pattern);
      }
      if (element === ELEMENT.engineModel) this.#offerEngine(pass, row, entry, priority);
    }
  }

  #offer(pass: Pass, element: number, row: number, entry: number, priority: number, origin: number): void {
    if (pass.origin[element] === ORIGIN.none) {
      pass.touched[pass.touchedCount++] = element;
      pass.split[element] = 0;
    } else {
      if (pass.value[element] !== this.tables.rowValue[row]) pass.split[element] = 1;
      const held = pass.priority[element] as number;
      if (priority < held) return;
      if (priority === held && !this.#outranks(row, pass.row[element] as number)) return;
    }
    pass.origin[element] = origin;
    pass.value[element] = this.tables.rowValue[row] as number;
    pass.row[element] = row;
    pass.entry[element] = entry;
    pass.priority[element] = priority;
  }

  #outranks(row: number, held: number): boolean {
    const { rowRank } = this.tables;
    return (rowRank[row] as number) < (rowRank[held] as number);
  }

  #offerEngine(pass: Pass, row: number, entry: number, priority: number): void {
    if (priority < pass.enginePriority) return;
    if (priority === pass.enginePriority) {
      const rank = this.tables.engineRank.get(row) ?? 0;
      const held = this.tables.engineRank.get(pass.engineRow) ?? 0;
      if (rank >= held) return;
    }
    pass.engineRow = row;
    pass.engineEntry = entry;
    pass.enginePriority = priority;
  }

  /** Fills elements without a pattern from vPIC's engine model (docs/vpic-procedures.md 1.4.4). */
  #addEngineModel(pass: Pass): void {
    const { tables } = this;
    const engine = tables.rowValue[pass.engineRow] as number;
    const end = tables.engineStart[engine + 1] ?? 0;
    for (let index = tables.engineStart[engine] ?? 0; index < end; index++) {
      const element = tables.engineElement[index] as number;
      const value = tables.engineValue[index] as number;
      if (MULTI_VALUED[element] === 1) {
        pass.extras.push({ element, value, entry: pass.engineEntry, origin: ORIGIN.engineModel });
        continue;
      }
      if (pass.origin[element] !== ORIGIN.none) {
        // Digits of the VIN outrank an engine model, as every pattern does.
        if ((pass.priority[element] as number) >= ENGINE_MODEL_PRIORITY) continue;
      } else {
        pass.touched[pass.touchedCount++] = element;
        pass.split[element] = 0;
      }
      pass.origin[element] = ORIGIN.engineModel;
      pass.value[element] = value;
      pass.row[element] = -1;
      pass.entry[element] = pass.engineEntry;
      pass.priority[element] = ENGINE_MODEL_PRIORITY;
    }
  }
}

/** Returns true if a VIN has a character that the key allows at each position that it fixes. */
export function keyHolds({ keyStart, keyColumn, keySet, setWords }: VpicTables, key: number, vin: VinCodes): boolean {
  const end = keyStart[key + 1] as number;
  for (let token = keyStart[key] as number; token < end; token++) {
    const column = keyColumn[token] as number;
    const code = vin.columns[column] as number;
    const word = setWords[(keySet[token] as number) * 2 + (code >>> 5)] as number;
    if (((word >>> (code & 31)) & 1) === 0) return false;
  }
  return true;
}
