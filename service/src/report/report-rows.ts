import { REPORT_ENTRIES, type ReportPath } from '@marque/decoder';

import { valueAt } from '../kernel/records.ts';
import { count } from '../kernel/ui/numbers.ts';

/** Units for US readers. */
const US_UNITS: Readonly<Record<string, readonly [perUnit: number, unit: string, digits: number]>> = {
  mm: [1 / 25.4, 'in', 1],
  kg: [1 / 0.453_592_37, 'lb', 0],
  L: [1 / 28.316_846_592, 'cu ft', 1],
  kW: [1 / 0.745_699_872, 'hp', 0],
  'cm³': [1 / 16.387_064, 'cu in', 1],
};

/** Labels and units of fields. */
export const FIELDS: ReadonlyMap<string, { label: string | undefined; unit: string | undefined }> = new Map(
  REPORT_ENTRIES.map(([path, { label, unit }]) => [path, { label, unit }]),
);

/** Returns a field's label, with its unit if it has one: "Length (mm)". Pure. */
export function fieldLabel(path: string): string {
  const { label = wordsOf(path), unit } = FIELDS.get(path) ?? {};
  return unit === undefined ? label : `${label} (${unit})`;
}

/** Returns the last part of a path as a label: `specs.plantCity` is "Plant city". */
function wordsOf(path: string): string {
  const words = path.slice(path.lastIndexOf('.') + 1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields that people read together, in their order. */
const GROUPS: readonly (readonly [title: string, paths: readonly ReportPath[]])[] = [
  [
    'Identity',
    [
      'manufacturer',
      'model',
      'generation',
      'trim',
      'modelYear',
      'bodyStyle',
      'possibleBodyStyles',
      'vehicleType',
      'modelCode',
    ],
  ],
  ['Origin', ['region', 'plant', 'specs.market']],
  [
    'Engine and drive',
    [
      'specs.engine',
      'specs.fuelType',
      'specs.displacementCc',
      'specs.powerKw',
      'specs.batteryCapacityKwh',
      'specs.transmission',
      'specs.driveType',
      'specs.emissionsStandard',
    ],
  ],
  [
    'Dimensions and weight',
    [
      'technicalSpecs.lengthMm',
      'technicalSpecs.widthMm',
      'technicalSpecs.heightMm',
      'technicalSpecs.wheelbaseMm',
      'technicalSpecs.groundClearanceMm',
      'technicalSpecs.curbWeightKg',
      'technicalSpecs.grossWeightKg',
      'technicalSpecs.cargoVolumeLiters',
      'technicalSpecs.cargoVolumeMaxLiters',
    ],
  ],
];

/** The first position of the part of the VIN that determines a field, if that is not the VDS. */
const PARTS: Partial<Record<ReportPath, number>> = { manufacturer: 1, region: 1, modelYear: 10, plant: 11 };
const VDS_FROM = 4;

/** One field of a report for people: with thousands separators, in metric and US units. */
export interface ReportRow {
  /** The path of the field in the report. */
  path: string;
  label: string;
  text: string;
  /** The same in US units; undefined: they are the same there. */
  usText: string | undefined;
  /** First position of the part of the VIN that determines it. */
  part: number;
}

/** Some rows that belong together. */
export interface RowGroup {
  title: string;
  rows: ReportRow[];
}

/** Returns a report's fields in groups; empty fields and groups are left out. Pure. */
export function rowGroups(report: Record<string, unknown>): RowGroup[] {
  const shown = withBody(report);
  return GROUPS.map(([title, paths]) => ({ title, rows: paths.flatMap((path) => rowOf(shown, path)) })).filter(
    ({ rows }) => rows.length > 0,
  );
}

/** Describes a vehicle in one line: "2003 Honda Accord EX-V6 · Coupe · 3.0L V6 · FWD". Pure. */
export function titleLine(report: Record<string, unknown>): string {
  return [vehicleTitle(report), titleDetails(report)].filter((part) => part !== '').join(' · ');
}

/** Returns the title line's part after the name: "Coupe · 3.0L V6 · FWD"; empty if none of it is known. Pure. */
export function titleDetails(report: Record<string, unknown>): string {
  const shown = withBody(report);
  const engine = engineName(report) ?? displayed(valueAt(report, 'specs.fuelType'));
  const details = [displayed(shown['bodyStyle']), engine, displayed(valueAt(report, 'specs.driveType'))];
  return details.filter((part) => part !== undefined).join(' · ');
}

/** The name shown for a vehicle whose WMI is not in the catalog. */
const UNKNOWN_MAKER = 'We do not know this maker.';

/** Returns the vehicle's name: "2003 Honda Accord EX-V6". Pure. */
export function vehicleTitle(report: Record<string, unknown>): string {
  if (report['manufacturer'] === undefined) return UNKNOWN_MAKER;
  const parts = ['modelYear', 'manufacturer', 'model', 'trim'].map((path) => displayed(report[path]));
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Fields that one word covers, by their unit. */
const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  mm: ['dimension', 'dimensions'],
  kg: ['weight', 'weights'],
  L: ['cargo volume', 'cargo volumes'],
};

/** Fields that the plant's own name already includes. */
const PARTS_OF_PLANT: ReadonlySet<string> = new Set(['specs.plantCountry', 'specs.plantCity']);

/** Fields by name, for a sentence: "engine, fuel, 4 dimensions". Pure. */
export function fieldsInWords(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  const names: string[] = [];
  for (const path of paths) {
    const { label = path, unit = '' } = FIELDS.get(path) ?? {};
    if (COUNTED[unit] !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    else if (!PARTS_OF_PLANT.has(path)) names.push(label.toLowerCase());
  }
  const counted = [...counts].map(([unit, count]) => `${count} ${COUNTED[unit]?.[count === 1 ? 0 : 1]}`);
  return [...names, ...counted].join(', ');
}

/** Returns a report with its body once: its own name, else its category, else its possible values. */
function withBody(report: Record<string, unknown>): Record<string, unknown> {
  const { bodyStyle, bodyStyleNormalized, possibleBodyStyles, ...rest } = report;
  const category = displayed(bodyStyleNormalized);
  const known = displayed(bodyStyle) ?? (category === 'other' ? undefined : category);
  if (known === undefined) return { ...rest, possibleBodyStyles };
  return { ...rest, bodyStyle: bodyText(known) };
}

const BODY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['suv', 'SUV'],
  ['wagon', 'Station wagon'],
  ['cabrio', 'Convertible'],
]);

/** Returns a body style as text: "SUV", "Station wagon". Pure. */
export function bodyText(style: string): string {
  return BODY_TEXTS.get(style) ?? style.charAt(0).toUpperCase() + style.slice(1);
}

/** Returns the name of an engine ("2.0 L I4 turbo"), without the fuel and the power, which have their own fields. */
function engineName(report: Record<string, unknown>): string | undefined {
  const fuel = displayed(valueAt(report, 'specs.fuelType'))?.toLowerCase();
  const powerKw = valueAt(report, 'specs.powerKw');
  const power = typeof powerKw === 'number' ? `${Math.round(powerKw)} kw` : undefined;
  const parts = displayed(valueAt(report, 'specs.engine'))?.split(', ') ?? [];
  const name = parts.filter((part) => ![fuel, power].includes(part.toLowerCase())).join(', ');
  return name === '' ? undefined : name;
}

/** Matches a name that is only the size of the engine. */
const BARE_SIZE = /^[\d.]+ (?:L|cc)$/;

/** Returns the engine's name where the fields around it do not say all of it. */
function engineRowText(report: Record<string, unknown>): string | undefined {
  const name = engineName(report);
  const isSaid = name !== undefined && BARE_SIZE.test(name) && valueAt(report, 'specs.displacementCc') !== undefined;
  return isSaid ? undefined : name;
}

function rowOf(report: Record<string, unknown>, path: ReportPath): ReportRow[] {
  const { label = path, unit } = FIELDS.get(path) ?? {};
  const value = path === 'specs.engine' ? engineRowText(report) : valueAt(report, path);
  const text = displayed(value);
  if (text === undefined) return [];
  const measured = unit === undefined ? text : `${text}\u00a0${unit}`;
  return [{ path, label, text: measured, usText: usText(value, unit), part: PARTS[path] ?? VDS_FROM }];
}

function usText(value: unknown, metric: string | undefined): string | undefined {
  const us = metric === undefined ? undefined : US_UNITS[metric];
  if (us === undefined || typeof value !== 'number') return undefined;
  const [perUnit, unit, digits] = us;
  const text = count(value * perUnit, { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return `${text}\u00a0${unit}`;
}

function displayed(value: unknown): string | undefined {
  if (typeof value === 'number') return count(value);
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(', ');
  return typeof value === 'string' && value !== '' && value.toLowerCase() !== 'unknown' ? value : undefined;
}
