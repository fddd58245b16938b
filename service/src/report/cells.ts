import { REPORT_ENTRIES, type ReportPath, segmentsOf, type SharedReport, type VinSegments } from '@marque/decoder';
import type { FastifyReply } from 'fastify';

import { isRecord } from '../kernel/records.ts';
import { type Column, CSV_LINE_END, csvCell, csvLine, harmless } from '../kernel/csv/csv.ts';

/** The segments of the VIN itself. */
export const SEGMENT_FIELDS: ReadonlySet<string> = new Set(['vin', ...Object.keys(segmentsOf('')), 'validFormat']);

/** Columns of a report after its VIN, in a fixed order: a dot leads into `specs` and `technicalSpecs`. */
export const REPORT_COLUMNS = [
  'manufacturer',
  'model',
  'modelYear',
  'modelCode',
  'generation',
  'trim',
  'bodyStyle',
  'bodyStyleNormalized',
  'possibleBodyStyles',
  'vehicleType',
  'plant',
  'region',
  'wmi',
  'vds',
  'vis',
  'checkDigit',
  'yearCode',
  'plantCode',
  'serialNumber',
  'validFormat',
  'specs.engine',
  'specs.fuelType',
  'specs.transmission',
  'specs.driveType',
  'specs.powerKw',
  'specs.displacementCc',
  'specs.batteryCapacityKwh',
  'specs.emissionsStandard',
  'specs.market',
  'specs.plantCountry',
  'specs.plantCity',
  'technicalSpecs.lengthMm',
  'technicalSpecs.widthMm',
  'technicalSpecs.heightMm',
  'technicalSpecs.wheelbaseMm',
  'technicalSpecs.curbWeightKg',
  'technicalSpecs.grossWeightKg',
  'technicalSpecs.groundClearanceMm',
  'technicalSpecs.cargoVolumeLiters',
  'technicalSpecs.cargoVolumeMaxLiters',
] as const satisfies readonly ReportPath[];

/** Fails to compile when a field of a report has no column. */
type Missing = Exclude<ReportPath, 'vin' | (typeof REPORT_COLUMNS)[number]>;
REPORT_COLUMNS satisfies [Missing] extends [never] ? unknown : never;

const NUMBERS: ReadonlySet<string> = new Set(
  REPORT_ENTRIES.filter(([, { kind }]) => kind === 'number').map(([path]) => path),
);

/** Returns true if a column of a report is numeric. */
function isNumberColumn(path: string): boolean {
  return NUMBERS.has(path);
}

/** Returns the columns of a report for a table that has columns of its own: equal names get the prefix `decoded.`. */
export function addedColumns(paths: readonly string[], own: readonly string[]): Column[] {
  const taken = new Set(own);
  return paths.map((path) => {
    let name = path;
    while (taken.has(name)) name = `decoded.${name}`;
    taken.add(name);
    return { name, kind: isNumberColumn(path) ? 'double' : 'text' };
  });
}

/** The place of a column's value in a report: its name, within the group that the path names, if it does. */
interface Place {
  group: string | undefined;
  name: string;
}

/** The places of lists of columns, so that a path is not taken apart for each row. */
const PLACES = new WeakMap<readonly string[], readonly Place[]>();

function placesOf(columns: readonly string[]): readonly Place[] {
  const known = PLACES.get(columns);
  if (known !== undefined) return known;
  const places = columns.map((path): Place => {
    const [first = '', second] = path.split('.');
    return second === undefined ? { group: undefined, name: first } : { group: first, name: second };
  });
  PLACES.set(columns, places);
  return places;
}

function valueAt(report: object, { group, name }: Place): unknown {
  if (!isRecord(report)) return undefined;
  if (group === undefined) return report[name];
  const values = report[group];
  return isRecord(values) ? values[name] : undefined;
}

/** Returns the cells of a report. A field without a value is empty. */
export function plainCellsOf(report: object, columns: readonly string[]): string[] {
  return placesOf(columns).map((place) => textOf(valueAt(report, place)));
}

/** Texts whose cell of CSV is kept: makes, models and plants come again and again. */
const MOST_KEPT = 20_000;

/** Returns a function that writes reports as lines of CSV: the cells of `cellsOf`, for table after table of rows. */
export function lineWriter(columns: readonly string[], delimiter: string): (report: object) => string {
  const kept = new Map<string, string>();
  const columnsOfLine = placesOf(columns).map((place, index) => ({
    place,
    isNumber: isNumberColumn(columns[index] ?? ''),
    // Letters and digits, and nearly all different.
    isSegment: SEGMENT_FIELDS.has(columns[index] ?? ''),
  }));
  const cellOf = (text: string): string => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const cell = csvCell(harmless(text));
    if (kept.size < MOST_KEPT) kept.set(text, cell);
    return cell;
  };
  return (report) => {
    let line = '';
    for (const [index, { place, isNumber, isSegment }] of columnsOfLine.entries()) {
      if (index > 0) line += delimiter;
      const value = valueAt(report, place);
      const text = textOf(value);
      // The text of a number needs no quotes.
      if (typeof value === 'number') line += text;
      else if (text !== '') line += isNumber ? csvCell(text) : isSegment && SEGMENT.test(text) ? text : cellOf(text);
    }
    return line + CSV_LINE_END;
  };
}

const SEGMENT = /^[A-Z0-9]+$/;

/** The segments in which VINs that share a report differ. */
export const VARYING_SEGMENTS = ['vds', 'vis', 'checkDigit', 'serialNumber'] as const satisfies (keyof VinSegments)[];

/**
 * A line as UTF-8 for all VINs that share a report, and where it has the segments of one: a few numbers, for there are
 * many lines.
 */
interface SharedLine {
  bytes: Uint8Array;
  places: readonly number[];
}

/**
 * Returns a function that writes the lines of `lineWriter` as UTF-8 for VINs that share reports: what a report gives is
 * written once. The bytes change with the next call.
 *
 * @param columns without the VIN.
 */
export function sharedLineWriter(
  columns: readonly string[],
  delimiter: string,
): (shared: SharedReport, vin: string) => Uint8Array {
  const lineOf = lineWriter(columns, delimiter);
  const varying = columns.flatMap((column) => VARYING_SEGMENTS.filter((name) => name === column));
  const known = new WeakMap<SharedReport, SharedLine>();
  const make = (shared: SharedReport, vin: string): SharedLine => {
    const own = segmentsOf(vin);
    const report = shared.for(vin);
    for (const name of varying) report[name] = MARK.repeat(own[name].length);
    const bytes = Buffer.from(lineOf(report));
    let at = 0;
    const places = varying.map((name) => {
      const place = bytes.indexOf(MARK, at);
      at = place + own[name].length;
      return place;
    });
    return { bytes, places };
  };
  return (shared, vin) => {
    let line = known.get(shared);
    if (line === undefined) known.set(shared, (line = make(shared, vin)));
    const { bytes, places } = line;
    const segments = segmentsOf(vin);
    for (let index = 0; index < varying.length; index++) {
      const text = segments[varying[index] ?? 'vis'];
      const place = places[index] ?? 0;
      for (let at = 0; at < text.length; at++) bytes[place + at] = text.charCodeAt(at);
    }
    return bytes;
  };
}

/** Stands for a character of a segment in a line: no report has it, it needs no quotes, and it is one byte. */
const MARK = '\u0001';

/** Returns the cells of a report for CSV, not yet quoted: nothing in them is taken for a formula. */
export function cellsOf(report: object, columns: readonly string[]): string[] {
  return plainCellsOf(report, columns).map((cell, index) =>
    isNumberColumn(columns[index] ?? '') ? cell : harmless(cell),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'string' ? value : '';
}

/** The forms in which a report can be saved. */
export const REPORT_FILES = ['csv', 'json'] as const;

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/**
 * Sends a report as a file: JSON, or a table with one row and the columns that decoded files get.
 *
 * @param report cut to what its reader may see.
 */
export function sendReportFile(
  reply: FastifyReply,
  form: (typeof REPORT_FILES)[number],
  vin: string,
  report: object,
): FastifyReply {
  return reply
    .header('content-type', TYPES[form])
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${vin.replace(/\W/g, '')}.${form}"`)
    .send(form === 'csv' ? reportCsv(vin, report) : JSON.stringify({ report }, null, 2));
}

/** Returns a report as CSV of one row, with its header. Pure. */
function reportCsv(vin: string, report: object): string {
  return csvLine(['vin', ...REPORT_COLUMNS], ',') + csvLine([vin, ...cellsOf(report, REPORT_COLUMNS)], ',');
}
