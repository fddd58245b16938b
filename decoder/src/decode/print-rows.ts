import type { Strings } from '../catalog/strings.ts';
import type { ReportField } from '../report/field.ts';
import type { RowEvidence } from '../report/explanation.ts';
import { BODY_STYLES } from '../report/report.ts';
import {
  CONFIDENCES,
  NUMERIC_WORLD_FIELDS,
  OPEN_FROM,
  OPEN_TO,
  TENTHS,
  type WorldField,
} from '../report/world-fields.ts';
import type { Claim } from '../settle/ledger.ts';
import { BY, reasonOf } from '../settle/reasons.ts';
import { fixedPositions, parsePattern } from '../vin/pattern.ts';
import type { Pass } from '../vpic/pass.ts';
import { describeKey, type TracedRow, traceRows } from '../vpic/trace.ts';
import { FIELD } from '../world/reading.ts';
import { fit } from '../world/years.ts';
import type { VinReader } from './reader.ts';
import type { Reading } from './reading.ts';
import { positionsOfYear } from './year-note.ts';

const NO_ELEMENTS: readonly number[] = [];

/** The positions that the WMI takes. */
const WMI_POSITIONS: readonly number[] = [1, 2, 3];

/** Prints rows of NHTSA's tables, of layouts and of corrections in words. */
export class RowPrinter {
  readonly #reader: VinReader;
  readonly #strings: Strings;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#strings = strings;
  }

  /** Returns the row of a claim by any source but approvals, registers and specifications. */
  print({ source, row, value: raw }: Claim, value: string, reading: Reading): RowEvidence {
    const reason = reasonOf(row);
    if (reason !== undefined) {
      const isWmi = source === 'wmi' || reason.text.includes('WMI');
      return {
        value,
        source: this.#sourceOf(source, reading),
        row: isWmi ? `WMI ${reading.vin.slice(0, 3)} · ${reason.text}` : reason.text,
        positions: [...(isWmi ? WMI_POSITIONS : this.#positionsOf(row, reading))],
        confidence: 'B',
      };
    }
    if (source === 'vpic') return this.#vpicRow(row, value, [reading.pass, reading.other]);
    if (source === 'layout') return this.#layoutRow(row, value);
    return {
      value: raw === '' ? '' : value,
      source: 'corrections',
      row: this.#reader.corrections.describe(source, row),
      positions: [],
      confidence: 'B',
    };
  }

  /** Returns the makes that share the WMI, each as a row of the list of WMIs. */
  sharedMakes({ codes, vin }: Reading): RowEvidence[] {
    return this.#reader.sharedMakes(codes).map((value) => ({
      value,
      source: 'the list of WMIs',
      row: `WMI ${vin.slice(0, 3)} · ${value} is one of the makes that share it`,
      positions: [...WMI_POSITIONS],
      confidence: 'B',
    }));
  }

  /** Returns all rows that match the VIN in its year and give a field, also those that do not count. */
  passedOver({ elements = NO_ELEMENTS, world: name }: ReportField, reading: Reading): RowEvidence[] {
    const { pass, other, codes } = reading;
    const found: RowEvidence[] = [];
    for (const one of [pass, other]) {
      if (one === null || one === undefined || elements === NO_ELEMENTS) continue;
      const traced = traceRows(this.#reader.vpic.tables, one, codes);
      for (const element of elements) {
        for (const row of traced) {
          if (row.element === element) found.push(this.#tracedRow(row));
        }
      }
    }
    if (name !== undefined && reading.world.layout >= 0) found.push(...this.#factsWith(name, reading));
    return found;
  }

  #positionsOf(row: number, reading: Reading): readonly number[] {
    return row === BY.year ? positionsOfYear(reading, this.#reader.world) : (reasonOf(row)?.positions ?? []);
  }

  #sourceOf(source: Claim['source'], { world }: Reading): string {
    if (source === 'vpic') return 'vPIC';
    if (source === 'layout' && world.layout >= 0) return this.#reader.layoutName(world.layout);
    return source === 'wmi' ? 'the list of WMIs' : 'derived';
  }

  #vpicRow(entry: number, value: string, passes: readonly (Pass | null | undefined)[]): RowEvidence {
    const { entryKey, schemaEntries, wmiLinks, linkSchema, linkFrom } = this.#reader.vpic.tables;
    for (const pass of passes) {
      if (pass === null || pass === undefined) continue;
      for (let link = wmiLinks[pass.wmi] ?? 0; link < (wmiLinks[pass.wmi + 1] ?? 0); link++) {
        const schema = linkSchema[link] ?? 0;
        if (entry < (schemaEntries[schema] ?? 0) || entry >= (schemaEntries[schema + 1] ?? 0)) continue;
        return this.#vpicEvidence(schema, linkFrom[link] ?? 0, entryKey[entry] ?? 0, value);
      }
    }
    return this.#vpicEvidence(undefined, 0, entryKey[entry] ?? 0, value);
  }

  #tracedRow({ element, value, schema, entry, since }: TracedRow): RowEvidence {
    const { tables } = this.#reader.vpic;
    return this.#vpicEvidence(schema, since, tables.entryKey[entry] ?? 0, tables.text(element, value));
  }

  #vpicEvidence(schema: number | undefined, since: number, keyNumber: number, value: string): RowEvidence {
    const { tables } = this.#reader.vpic;
    const key = describeKey(tables, keyNumber);
    const name = schema === undefined ? '' : `${this.#strings.get(tables.schemaName[schema] ?? 0)} (from ${since}) · `;
    return {
      value,
      source: 'vPIC',
      row: `${name}${key.text || 'any VIN'}`,
      positions: key.positions,
      confidence: 'B',
    };
  }

  /** Returns the rows of the reading's layout that give a field and apply in the year. */
  #factsWith(name: WorldField, { world: reading, draft: { modelYear: year } }: Reading): RowEvidence[] {
    const { factOutputs, outputStart, outputField, outputValue, factFrom, factTo } = this.#reader.world;
    const field = FIELD[name];
    const rows: RowEvidence[] = [];
    for (let index = 0; index < reading.factCount; index++) {
      const fact = reading.facts[index] ?? 0;
      const isOfYear = year === 0 || fit(factFrom[fact] ?? 0, factTo[fact] ?? 0, year) > 0;
      if (reading.fit[index] === 0 || !isOfYear) continue;
      const outputs = factOutputs[fact] ?? 0;
      for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
        if (outputField[at] === field) rows.push(this.#layoutRow(fact, this.#layoutText(name, outputValue[at] ?? 0)));
      }
    }
    return rows;
  }

  #layoutRow(fact: number, value: string): RowEvidence {
    const { world } = this.#reader;
    const pattern = this.#strings.get(world.factPattern[fact] ?? 0);
    const [from, to] = [world.factFrom[fact] ?? 0, world.factTo[fact] ?? 0];
    const years = from === OPEN_FROM && to === OPEN_TO ? '' : ` (${from || ''}-${to === OPEN_TO ? '' : to})`;
    return {
      value,
      source: this.#strings.get(world.factSource[fact] ?? 0),
      row: `${this.#strings.get(world.factFile[fact] ?? 0)}:${world.factLine[fact]} · ${pattern}${years}`,
      positions: fixedPositions(parsePattern(pattern)),
      confidence: CONFIDENCES[world.factConfidence[fact] ?? 0] ?? 'G',
    };
  }

  #layoutText(name: WorldField, value: number): string {
    if (name === 'body') return BODY_STYLES[value] ?? 'unknown';
    if (name === 'batteryCapacityKwh') return String(value / TENTHS);
    return NUMERIC_WORLD_FIELDS.has(name) ? String(value) : this.#strings.get(value);
  }
}
