import type {
  CandidatesAnswer,
  EngineVariant,
  Explanation,
  FieldEvidence,
  RowEvidence,
  VehicleReport,
} from '@marque/decoder';

import type { Paint } from '../../kernel/cli/paint.ts';
import { lineWriter, ruleSetText } from '../../report/index.ts';
import { CSV_COLUMNS, fieldsOf, reportOf, valueOf } from './result.ts';
import type { ReportResult, Result } from './result-types.ts';
import { csvLine } from '../../kernel/csv/csv.ts';

export const FORMATS = ['table', 'json', 'jsonl', 'csv', 'vpic'] as const;

export type FormatName = (typeof FORMATS)[number];

/** The text around results: `begin`, then each result with `between` in between, then `end`. */
export interface Format {
  begin: string;
  between: string;
  end: string;
  textOf(result: Result): string;
  /** The same of a report that is JSON already; absent: the format shows its fields otherwise. */
  ofJson?: (json: string) => string;
}

/** The extent of the output. */
interface Scope {
  /** Exactly one VIN was asked for: it is printed as one object or one sheet, not as a list. */
  single: boolean;
  /** True if evidence is printed, too, which needs a sheet. */
  explain: boolean;
}

/**
 * Returns the named format.
 *
 * @param width columns of the terminal that a table must fit; undefined: not a terminal.
 */
export function formatOf(name: FormatName, { single, explain }: Scope, paint: Paint, width?: number): Format {
  if (name === 'table') return single || explain ? sheetsIn(paint) : rowsIn(paint, width);
  if (name === 'json') return single ? JSON_OBJECT : JSON_LIST;
  return name === 'csv' ? CSV : JSONL;
}

function sheetsIn(paint: Paint): Format {
  return { begin: '', between: '\n', end: '', textOf: ofReports((result) => sheet(result, paint)) };
}

function rowsIn(paint: Paint, width: number | undefined): Format {
  const widths = widthsIn(width);
  return {
    begin: rowHeader(paint, widths),
    between: '',
    end: '',
    textOf: ofReports((result) => rowLine(result, paint, widths)),
  };
}

const JSONL: Format = {
  begin: '',
  between: '',
  end: '',
  textOf: (result) => `${JSON.stringify(valueOf(result))}\n`,
  ofJson: (json) => `${json}\n`,
};

/** Refuses vPIC's elements, which have no place in a table of fields: they are printed as a line of JSON. */
function ofReports(textOf: (result: ReportResult) => string): (result: Result) => string {
  return (result) => (result.kind === 'vpic' ? JSONL.textOf(result) : textOf(result));
}

const lineOfCsv = lineWriter(CSV_COLUMNS, ',');

const CSV: Format = {
  begin: csvLine(CSV_COLUMNS, ','),
  between: '',
  end: '',
  textOf: ofReports((result) => lineOfCsv(fieldsOf(result))),
};

const JSON_OBJECT: Format = {
  begin: '',
  between: '',
  end: '\n',
  textOf: (result) => JSON.stringify(valueOf(result), null, 2),
};

const JSON_LIST: Format = {
  begin: '[\n',
  between: ',\n',
  end: '\n]\n',
  textOf: (result) => JSON.stringify(valueOf(result)),
  ofJson: (json) => json,
};

const ROW_WIDTHS = [17, 20, 28, 4, 16, 13] as const;

/** Columns whose text may be cut: a VIN and a year are of no use in part. */
const ELASTIC = [1, 2, 4, 5];

const NARROWEST = 6;
const GAP = 2;

/**
 * Widths of the columns of a table of many VINs. They are fixed: rows are printed as they come, before the widest is
 * known. Those of names shrink alike where the terminal is narrower.
 */
function widthsIn(terminal: number | undefined): readonly number[] {
  const widest = ROW_WIDTHS.reduce<number>((sum, width) => sum + width, GAP * (ROW_WIDTHS.length - 1));
  if (terminal === undefined || terminal >= widest) return ROW_WIDTHS;
  const elastic = ELASTIC.reduce((sum, column) => sum + (ROW_WIDTHS[column] ?? 0), 0);
  const share = (elastic - (widest - terminal)) / elastic;
  return ROW_WIDTHS.map((width, column) =>
    ELASTIC.includes(column) ? Math.max(NARROWEST, Math.floor(width * share)) : width,
  );
}

/** Returns the headings of a table of many VINs. */
function rowHeader(paint: Paint, widths: readonly number[]): string {
  return paint.heading(row(['VIN', 'Make', 'Model', 'Year', 'Body', 'Region'], widths).trimEnd()).concat('\n');
}

/** Returns one VIN as one row. */
export function rowLine(result: ReportResult, paint: Paint, widths: readonly number[] = ROW_WIDTHS): string {
  if (result.kind === 'error') return `${printable(result.vin).padEnd(17)}  ${paint.fault(result.error)}\n`;
  const { vin, manufacturer = '-', model = '-', modelYear = '-', bodyStyle = '-', region = '-' } = reportOf(result);
  return row([vin, manufacturer, model, modelYear, bodyStyle, region], widths);
}

/** Returns one VIN as a sheet: a line for each field, and with an explanation the evidence below its field. */
export function sheet(result: ReportResult, paint: Paint): string {
  if (result.kind === 'error') return `${printable(result.vin)}: ${paint.fault(result.error)}\n`;
  if (result.kind === 'explanation') return explained(result.explanation, paint);
  if (result.kind === 'candidates') return withOpen(result.answer, paint);
  return fieldLines(result.report, paint);
}

function row(cells: readonly string[], widths: readonly number[]): string {
  const isCut = widths !== ROW_WIDTHS;
  const line = cells
    .map((text, column) => {
      const width = widths[column] ?? 0;
      return isCut && text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
    })
    .join(' '.repeat(GAP));
  return `${line.trimEnd()}\n`;
}

function fieldLines(report: VehicleReport, paint: Paint): string {
  const { specs = {}, technicalSpecs = {}, ...flat } = report;
  const fields = [...Object.entries(flat), ...Object.entries(specs), ...Object.entries(technicalSpecs)];
  return fields
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${paint.label(name.padEnd(22))} ${Array.isArray(value) ? value.join(', ') : String(value)}\n`,
    )
    .join('');
}

function withOpen({ report, open, engines, conflicts }: CandidatesAnswer, paint: Paint): string {
  const lines = open.map(
    ({ field, candidates, settledBy }) =>
      `\n${paint.heading(`${field}: open`)}\n  ${candidates.join(', ')}\n  settled by: ${settledBy.join(', ')}\n`,
  );
  const ignored = conflicts.length === 0 ? '' : `\nIgnored because they contradict the VIN: ${conflicts.join(', ')}.\n`;
  const choices = engines.map((engine) => `  ${engineText(engine)}\n`).join('');
  const engine = choices === '' ? '' : `\n${paint.heading('engine: one of')}\n${choices}`;
  return `${fieldLines(report, paint)}${ignored}${lines.join('')}${engine}`;
}

function engineText({ fuelType = '', displacementCc, powerKw }: EngineVariant): string {
  const size = displacementCc === undefined ? [] : [`${displacementCc} cc`];
  const power = powerKw === undefined ? [] : [`${powerKw} kW`];
  return [fuelType, ...size, ...power].join(', ');
}

function explained({ report, fields, reading }: Explanation, paint: Paint): string {
  const evidence = fields.map((field) => evidenceLines(field, paint)).join('');
  return `${fieldLines(report, paint)}\n${ruleSetText(reading, report.manufacturer)}\n${evidence}`;
}

function evidenceLines({ field, value, rows, alternatives, note }: FieldEvidence, paint: Paint): string {
  return [
    `\n${paint.heading(`${field}: ${value ?? 'left out'}`)}\n`,
    ...(note === undefined ? [] : [`  ${note}\n`]),
    ...rows.map((evidence) => evidenceLine('+', evidence)),
    ...alternatives.map((evidence) => evidenceLine('?', evidence)),
  ].join('');
}

function evidenceLine(mark: '+' | '?', { value, row, positions, source, confidence }: RowEvidence): string {
  const where = positions.length === 0 ? [] : [`positions ${positions.join(',')}`];
  return `  ${mark} ${[value, row, ...where, `${source}, ${confidence}`].join(' · ')}\n`;
}

/** Returns input in a form fit for a terminal: control characters could move its cursor or change its title. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD').slice(0, 64);
}
