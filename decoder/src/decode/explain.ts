import type { Strings } from '../catalog/strings.ts';
import type { Pass, VinCodes } from '../vpic/pass.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { describeKey, type TracedRow, traceRows } from '../vpic/trace.ts';
import { CONFIDENCES, NUMERIC_WORLD_FIELDS, TENTHS, type WorldField } from '../world/fields.ts';
import { FIELD, type WorldReading } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import type { FieldEvidence, RowEvidence } from './explanation.ts';
import { BODY_STYLES, type VehicleReport } from './report.ts';

/** Where each field of a report comes from: vPIC's elements, and the field of the world's facts. */
const SOURCES: readonly { field: string; elements: readonly number[]; world?: WorldField }[] = [
  { field: 'manufacturer', elements: [28], world: 'make' },
  { field: 'model', elements: [28], world: 'model' },
  { field: 'modelCode', elements: [28, 34, 38], world: 'modelCode' },
  { field: 'generation', elements: [], world: 'generation' },
  { field: 'trim', elements: [38], world: 'trim' },
  { field: 'bodyStyle', elements: [5], world: 'body' },
  { field: 'modelYear', elements: [], world: 'modelYear' },
  { field: 'vehicleType', elements: [], world: 'vehicleType' },
  { field: 'plant', elements: [31, 75], world: 'plantCity' },
  { field: 'specs.fuelType', elements: [24, 66, 126], world: 'fuelType' },
  { field: 'specs.engine', elements: [18, 9, 64], world: 'engine' },
  { field: 'specs.displacementCc', elements: [11, 13, 12], world: 'displacementCc' },
  { field: 'specs.powerKw', elements: [21, 71], world: 'powerKw' },
  { field: 'specs.driveType', elements: [15], world: 'driveType' },
  { field: 'specs.transmission', elements: [37, 63], world: 'transmission' },
  { field: 'specs.batteryCapacityKwh', elements: [59], world: 'batteryCapacityKwh' },
];

/** Gathers for each field the rows that spoke, those that agree with the answer first. */
export class Explainer {
  readonly #vpic: VpicTables;
  readonly #world: WorldTables;
  readonly #strings: Strings;

  constructor(vpic: VpicTables, world: WorldTables, strings: Strings) {
    this.#vpic = vpic;
    this.#world = world;
    this.#strings = strings;
  }

  /** `pass` is null where vPIC's reading did not count; the world's reading may complement either. */
  explain(report: VehicleReport, vin: VinCodes, pass: Pass | null, reading: WorldReading): FieldEvidence[] {
    const traced = pass === null ? [] : traceRows(this.#vpic, pass, vin);
    const found: FieldEvidence[] = [];
    for (const { field, elements, world } of SOURCES) {
      const rows = pass === null ? [] : this.#vpicRows(pass, traced, elements);
      const facts = world === undefined || reading.profile < 0 ? [] : this.#worldRows(reading, world, pass === null);
      const value = valueAt(report, field);
      const all = [...rows, ...facts];
      // Badges and trims may hold a code; that they hold none is nothing to explain.
      if (value === undefined && (all.length === 0 || field === 'modelCode')) continue;
      const speaks = (row: Spoken): boolean => row.decides && value !== undefined;
      const evidence: FieldEvidence = {
        field,
        value,
        rows: all.filter(speaks).map(({ row }) => row),
        alternatives: all.filter((row) => !speaks(row)).map(({ row }) => row),
      };
      const note = noteOn(field, report, pass, reading);
      found.push(note === undefined ? evidence : { ...evidence, note });
    }
    return found;
  }

  #vpicRows(pass: Pass, traced: readonly TracedRow[], elements: readonly number[]): Spoken[] {
    const rows: Spoken[] = [];
    for (const element of elements) {
      for (const row of traced) {
        if (row.element !== element) continue;
        const decides = pass.entry[element] === row.entry && pass.value[element] === row.value;
        const spoken = { decides, row: this.#vpicEvidence(row) };
        if (decides) rows.unshift(spoken);
        else rows.push(spoken);
      }
    }
    return rows;
  }

  #vpicEvidence(traced: TracedRow): RowEvidence {
    const key = describeKey(this.#vpic, this.#vpic.entryKey[traced.entry] ?? 0);
    const schema = this.#strings.get(this.#vpic.schemaName[traced.schema] ?? 0);
    return {
      value: this.#vpic.text(traced.element, traced.value),
      source: 'vPIC',
      row: `${schema} (from ${traced.since}) · ${key.text || 'any VIN'}`,
      positions: key.positions,
      confidence: 'B',
    };
  }

  #worldRows(reading: WorldReading, name: WorldField, counts: boolean): Spoken[] {
    const { factSaid, saidStart, saidField, saidValue } = this.#world;
    const field = FIELD[name];
    const rows: Spoken[] = [];
    for (let index = 0; index < reading.factCount; index++) {
      const fact = reading.facts[index] ?? 0;
      const said = factSaid[fact] ?? 0;
      for (let at = saidStart[said] ?? 0; at < (saidStart[said + 1] ?? 0); at++) {
        if (saidField[at] !== field) continue;
        const value = saidValue[at] ?? 0;
        const decides = counts && reading.vote[index] === 1 && reading.has(field) && reading.value[field] === value;
        rows.push({ decides, row: this.#worldEvidence(fact, name, value) });
      }
    }
    return rows;
  }

  #worldEvidence(fact: number, name: WorldField, value: number): RowEvidence {
    const world = this.#world;
    const pattern = this.#strings.get(world.factPattern[fact] ?? 0);
    const [from, to] = [world.factFrom[fact] ?? 0, world.factTo[fact] ?? 0];
    const years = from === 0 && to === 9999 ? '' : ` (${from || ''}-${to === 9999 ? '' : to})`;
    return {
      value: this.#worldText(name, value),
      source: this.#strings.get(world.factSource[fact] ?? 0),
      row: `${this.#strings.get(world.factFile[fact] ?? 0)}:${world.factLine[fact]} · ${pattern}${years}`,
      positions: positionsOf(pattern),
      confidence: CONFIDENCES[world.factConfidence[fact] ?? 0] ?? 'G',
    };
  }

  #worldText(name: WorldField, value: number): string {
    if (name === 'body') return BODY_STYLES[value] ?? 'unknown';
    if (name === 'batteryCapacityKwh') return String(value / TENTHS);
    return NUMERIC_WORLD_FIELDS.has(name) ? String(value) : this.#strings.get(value);
  }
}

interface Spoken {
  decides: boolean;
  row: RowEvidence;
}

/** The positions (1-17) that a pattern fixes. */
function positionsOf(pattern: string): number[] {
  const cells = pattern.match(/\[[^\]]*\]|./g) ?? [];
  return cells.flatMap((cell, index) => (cell === '.' ? [] : [index + 1]));
}

function valueAt(report: VehicleReport, field: string): string | undefined {
  const [first = '', second] = field.split('.');
  const holder: object | undefined = second === undefined ? report : report.specs;
  const value: unknown = holder === undefined ? undefined : Reflect.get(holder, second ?? first);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function noteOn(field: string, report: VehicleReport, pass: Pass | null, reading: WorldReading): string | undefined {
  if (field === 'manufacturer') return `the WMI is ${report.wmi}`;
  if (field === 'bodyStyle' && report.bodyStyle !== undefined && report.bodyStyle === report.vehicleType) {
    return 'what the vehicle is tells its body';
  }
  if (field !== 'modelYear') return undefined;
  if (pass !== null) {
    const seventh = report.vin.charAt(6);
    const told = /\d/.test(seventh)
      ? 'a digit: up to 2009, where the rule of 49 CFR 565 applies'
      : 'a letter: from 2010, where that rule applies';
    return `position 10 is ${report.yearCode}; position 7 is ${seventh}, ${told}`;
  }
  const { productionFrom: from, productionTo: to } = reading;
  if (from === 0 && to === 9999) return report.modelYear === undefined ? 'the VIN does not tell it' : undefined;
  return `built ${from || '?'} to ${to === 9999 ? 'today' : to}, as far as the rows tell`;
}
