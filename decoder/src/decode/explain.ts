import type { Strings } from '../catalog/strings.ts';
import { CONFIGURATIONS, type DraftField } from '../report/draft.ts';
import type { FieldEvidence, RowEvidence } from '../report/explanation.ts';
import { REPORT_ENTRIES } from '../report/fields.ts';
import type { ReportField } from '../report/field.ts';
import type { VehicleReport } from '../report/report.ts';
import { type Claim, F, isEmpty, type Ledger, type Value, VERDICT } from '../settle/ledger.ts';
import { reasonOf } from '../settle/reasons.ts';
import { describeTable } from '../specs/findings.ts';
import { checkDigitOf, hasValidCheckDigit } from '../vin/check-digit.ts';
import { noteOnYear } from './year-note.ts';
import { RowPrinter } from './print-rows.ts';
import type { VinReader } from './reader.ts';
import type { Reading } from './reading.ts';

const NO_FIELDS: readonly DraftField[] = [];

/** The path of a draft's field in a report; fields that a report has only within others have their own name. */
const PATH_OF: ReadonlyMap<DraftField, string> = new Map(
  REPORT_ENTRIES.flatMap(([path, { draft }]) => (draft === undefined ? [] : [[draft, path]])),
);

/** Prints the claims of a ledger: for each field of the report the deciding claim, and the others. */
export class Explainer {
  readonly #reader: VinReader;
  readonly #rows: RowPrinter;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#rows = new RowPrinter(reader, strings);
  }

  /** Returns the evidence for the fields of a report. */
  explain(report: VehicleReport, reading: Reading): FieldEvidence[] {
    return REPORT_ENTRIES.flatMap(([path, field]) => {
      const names = fieldsOf(path, field);
      return names.length === 0 ? [] : this.#explainField(path, field, names, report, reading);
    });
  }

  #explainField(
    path: string,
    field: ReportField,
    names: readonly DraftField[],
    report: VehicleReport,
    reading: Reading,
  ): FieldEvidence[] {
    const value = valueAt(report, path);
    const claims = names.flatMap((name) => reading.ledger.claimsOn(F[name]));
    const deciding = value === undefined ? [] : claims.filter(({ verdict }) => isDeciding(verdict));
    const basis = deciding.flatMap((claim) => basisOf(claim, reading.ledger));
    const supports = new Set([...deciding, ...basis]);
    const own = [...supports].map((claim) => this.#rowOf(claim, reading));
    const overruled = claims.filter((claim) => !supports.has(claim) && !isNothing(claim));
    const others = [...overruled.map((claim) => this.#rowOf(claim, reading)), ...this.#rows.passedOver(field, reading)];
    if (path === 'manufacturer' && value === undefined) others.push(...this.#rows.sharedMakes(reading));
    const rows = withoutRepeated([...own, ...others.filter((row) => row.value === value)], []);
    const alternatives = withoutRepeated(others, rows);
    // Badges and trims may contain a code; a missing one needs no explanation.
    const isOpenCycle = path === 'modelYear' && reading.other !== undefined;
    if (value === undefined && !isOpenCycle && (alternatives.length === 0 || path === 'modelCode')) return [];
    const note = this.#noteOn(path, report, reading, claims[0]);
    return [
      note === undefined
        ? { field: path, value, rows, alternatives }
        : { field: path, value, rows, alternatives, note },
    ];
  }

  #rowOf(claim: Claim, reading: Reading): RowEvidence {
    const value = textOf(claim.field, claim.value);
    const { source, row } = claim;
    if (source === 'approvals') return this.#reader.approvals.describe(row, value);
    if (source === 'registers') return this.#reader.registers.describe(row, value);
    if (source === 'specs') return describeTable(this.#reader.specs.tables, row, claim.field, value);
    return this.#rows.print(claim, value, reading);
  }

  #noteOn(path: string, report: VehicleReport, reading: Reading, first: Claim | undefined): string | undefined {
    if (path === 'modelYear') return noteOnYear(report, reading, this.#reader.world);
    if (path === 'manufacturer') {
      const isShared = report.manufacturer === undefined && this.#reader.sharedMakes(reading.codes).length > 0;
      const note = isShared ? `the WMI is ${report.wmi}, which several makes share` : `the WMI is ${report.wmi}`;
      if (reading.pass === null || hasValidCheckDigit(reading.vin)) return note;
      const right = checkDigitOf(reading.vin);
      return `${note}; position 9 is ${report.checkDigit}, where the check digit is ${right}: the VIN may be mistyped`;
    }
    const reason = first?.verdict === VERDICT.holds ? reasonOf(first.row) : undefined;
    if (reason === undefined || reason.from.length === 0) return undefined;
    return `${reason.text}: from ${reason.from.map((name) => PATH_OF.get(name) ?? name).join(', ')}`;
  }
}

/** Returns each row once, without those that are shown elsewhere. */
function withoutRepeated(rows: readonly RowEvidence[], shown: readonly RowEvidence[]): RowEvidence[] {
  const kept: RowEvidence[] = [];
  for (const row of rows) {
    const isRow = (other: RowEvidence): boolean => other.row === row.row && other.source === row.source;
    if (!kept.some(isRow) && !shown.some(isRow)) kept.push(row);
  }
  return kept;
}

/** Returns the fields of a draft from which a field of the report is made. */
function fieldsOf(path: string, { draft }: ReportField): readonly DraftField[] {
  if (path === 'plant') return ['plantCity', 'plantCountry'];
  return draft === undefined ? NO_FIELDS : [draft];
}

function isDeciding(verdict: number): boolean {
  return verdict === VERDICT.holds || verdict === VERDICT.agrees;
}

/** Returns true if a claim only took a value away. */
function isNothing({ value }: Claim): boolean {
  return isEmpty(value);
}

/** Returns the claims that a derived value rests on: those of the fields it names, or the earlier one of its own. */
function basisOf(claim: Claim, ledger: Ledger): Claim[] {
  const reason = claim.verdict === VERDICT.holds ? reasonOf(claim.row) : undefined;
  if (reason === undefined) return [];
  return reason.from.flatMap((name) => {
    const claims = ledger.claimsOn(F[name]).filter((other) => !isNothing(other) && other.source !== claim.source);
    return claims.filter(
      ({ verdict }) => isDeciding(verdict) || (name === claim.field && verdict === VERDICT.overruled),
    );
  });
}

/** Returns a value as text: as the report has it. */
function textOf(field: DraftField, value: Value): string {
  if (field === 'configuration') return CONFIGURATIONS[Number(value)] ?? '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** Returns the value of a field of a report, as text. */
function valueAt(report: VehicleReport, path: string): string | undefined {
  const [first = '', second] = path.split('.');
  const group: unknown = Reflect.get(report, first);
  const value: unknown =
    second === undefined ? group : typeof group === 'object' && group !== null ? Reflect.get(group, second) : undefined;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
