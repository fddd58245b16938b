import { withApprovalEvidence } from '../approvals/evidence.ts';
import type { Strings } from '../catalog/strings.ts';
import { REPORT_ENTRIES } from '../report/fields.ts';
import { BODY_STYLES, type VehicleReport } from '../report/report.ts';
import { withSpecEvidence } from '../specs/evidence.ts';
import type { SpecAnswer } from '../specs/join.ts';
import { fixedPositions, parsePattern } from '../vin/pattern.ts';
import type { Pass } from '../vpic/pass.ts';
import type { VpicTables } from '../vpic/tables.ts';
import { describeKey, type TracedRow, traceRows } from '../vpic/trace.ts';
import { CONFIDENCES, NUMERIC_WORLD_FIELDS, TENTHS, type WorldField } from '../report/world-fields.ts';
import { FIELD, type WorldReading } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import type { FieldEvidence, RowEvidence } from '../report/explanation.ts';
import type { VinReader } from './reader.ts';
import type { Reading } from './reading.ts';

/** Gathers for each field the rows that tell it, those that agree with the answer first. */
export class Explainer {
  readonly #vpic: VpicTables;
  readonly #world: WorldTables;
  readonly #strings: Strings;

  constructor(reader: VinReader, strings: Strings) {
    this.#vpic = reader.vpic.tables;
    this.#world = reader.world;
    this.#strings = strings;
  }

  /** The evidence of a reading for the report that was made of it. */
  explain(report: VehicleReport, reading: Reading, fromSpecs: readonly SpecAnswer[]): FieldEvidence[] {
    const found = this.#fromReadings(report, reading);
    // The tables of specifications and approvals settle values of identified vehicles only.
    if (report.manufacturer === undefined) return found;
    return withApprovalEvidence(withSpecEvidence(found, fromSpecs), reading.fromApprovals);
  }

  #fromReadings(report: VehicleReport, reading: Reading): FieldEvidence[] {
    const { pass, other, codes, world } = reading;
    const passes = [pass, other].filter((one) => one !== null && one !== undefined);
    const traced = passes.map((one) => ({ pass: one, rows: traceRows(this.#vpic, one, codes) }));
    const found: FieldEvidence[] = [];
    for (const [field, { elements = NO_ELEMENTS, world: name }] of REPORT_ENTRIES) {
      if (elements === NO_ELEMENTS && name === undefined) continue;
      const rows = traced.flatMap((one) => this.#vpicRows(one.pass, one.rows, elements));
      const facts = name === undefined || world.profile < 0 ? [] : this.#worldRows(world, name, pass === null);
      const value = valueAt(report, field);
      const all = [...rows, ...facts];
      // Badges and trims may hold a code; that they hold none is nothing to explain.
      const isOpenCycle = field === 'modelYear' && reading.other !== undefined;
      if (value === undefined && !isOpenCycle && (all.length === 0 || field === 'modelCode')) continue;
      const supports = (row: Candidate): boolean => row.decides && value !== undefined;
      const evidence: FieldEvidence = {
        field,
        value,
        rows: all.filter(supports).map(({ row }) => row),
        alternatives: all.filter((row) => !supports(row)).map(({ row }) => row),
      };
      const note = noteOn(field, report, reading);
      found.push(note === undefined ? evidence : { ...evidence, note });
    }
    return found;
  }

  #vpicRows(pass: Pass, traced: readonly TracedRow[], elements: readonly number[]): Candidate[] {
    const rows: Candidate[] = [];
    for (const element of elements) {
      for (const row of traced) {
        if (row.element !== element) continue;
        const decides = pass.entry[element] === row.entry && pass.value[element] === row.value;
        const candidate = { decides, row: this.#vpicEvidence(row) };
        if (decides) rows.unshift(candidate);
        else rows.push(candidate);
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

  #worldRows(reading: WorldReading, name: WorldField, counts: boolean): Candidate[] {
    const { factOutputs, outputStart, outputField, outputValue } = this.#world;
    const field = FIELD[name];
    const rows: Candidate[] = [];
    for (let index = 0; index < reading.factCount; index++) {
      const fact = reading.facts[index] ?? 0;
      const outputs = factOutputs[fact] ?? 0;
      for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
        if (outputField[at] !== field) continue;
        const value = outputValue[at] ?? 0;
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
      positions: fixedPositions(parsePattern(pattern)),
      confidence: CONFIDENCES[world.factConfidence[fact] ?? 0] ?? 'G',
    };
  }

  #worldText(name: WorldField, value: number): string {
    if (name === 'body') return BODY_STYLES[value] ?? 'unknown';
    if (name === 'batteryCapacityKwh') return String(value / TENTHS);
    return NUMERIC_WORLD_FIELDS.has(name) ? String(value) : this.#strings.get(value);
  }
}

const NO_ELEMENTS: readonly number[] = [];

/** A row that tells a field; whether the reading's value is from it. */
interface Candidate {
  decides: boolean;
  row: RowEvidence;
}

function valueAt(report: VehicleReport, field: string): string | undefined {
  const [first = '', second] = field.split('.');
  const holder: object | undefined = second === undefined ? report : report.specs;
  const value: unknown = holder === undefined ? undefined : Reflect.get(holder, second ?? first);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function noteOn(field: string, report: VehicleReport, reading: Reading): string | undefined {
  if (field === 'manufacturer') return `the WMI is ${report.wmi}`;
  if (field === 'bodyStyle' && report.bodyStyle !== undefined && report.bodyStyle === report.vehicleType) {
    return 'the vehicle type implies the body style';
  }
  if (field !== 'modelYear') return undefined;
  if (reading.pass !== null) return noteOnCycle(report, reading);
  const { productionFrom: from, productionTo: to } = reading.world;
  if (from === 0 && to === 9999) return report.modelYear === undefined ? 'the VIN does not contain it' : undefined;
  return `built ${from || '?'} to ${to === 9999 ? 'today' : to}, according to the rows`;
}

/** What told which of the two years position 10 means, in words. Position 7 tells it of cars and light trucks only. */
function noteOnCycle({ vin, yearCode, modelYear }: VehicleReport, { basis, pass, other }: Reading): string {
  const code = `position 10 is ${yearCode}`;
  const year = modelYear ?? pass?.year ?? 0;
  const wmi = vin.slice(0, vin.charAt(2) === '9' ? 2 : 3);
  switch (basis) {
    case 'light-truck':
    case 'position-7': {
      const seventh = vin.charAt(6);
      const meaning = /\d/.test(seventh) ? 'a digit: up to 2009' : 'a letter: from 2010';
      return `${code}; position 7 is ${seventh}, ${meaning}, under 49 CFR 565`;
    }
    case 'open': {
      const [earlier, later] = [pass?.year ?? 0, other?.year ?? 0].toSorted((a, b) => a - b);
      return `${code}: ${earlier} or ${later}; position 7 tells the cycle of cars and light trucks only, and nothing else tells it`;
    }
    case 'window':
      return `${code}: ${year}, since the year 30 years later is still to come`;
    case 'schemas':
      return `${code}; NHTSA has rows of WMI ${wmi} for ${year}, and none for the year 30 years apart`;
    case 'wmi':
      return `${code}; WMI ${wmi} was in use in ${year}, and not 30 years apart`;
    case 'keys':
      return `${code}; the maker filed characters like this VIN's for ${year}, and not for the year 30 years apart`;
    case 'caller':
      return `${code}; the caller knows the year`;
    default:
      return code;
  }
}
