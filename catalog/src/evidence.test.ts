import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Decoder, openCatalog, REPORT_ENTRIES, type ReportPath, VIN_CHARACTERS } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { readLabeled } from './labels/labeled.ts';
import { CATALOG_ROOT, catalogFile } from './root.ts';

/** The number of VINs of either kind that are explained; `npm run drills` explains more. */
const VINS = Number(process.env['MARQUE_EXPLAINED_VINS'] ?? 1500);

/** Parts of the VIN itself and its region, which need no evidence. */
const OF_THE_VIN: ReadonlySet<ReportPath> = new Set([
  'vin',
  'wmi',
  'vds',
  'vis',
  'checkDigit',
  'yearCode',
  'plantCode',
  'serialNumber',
  'validFormat',
  'region',
]);

const decoder = openCatalog(catalogFile());
const folder = join(CATALOG_ROOT, 'evaluation');
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
const known = files.flatMap((file) => readLabeled(join(folder, file)).map(({ vin }) => vin));

/** Returns some of the texts, evenly spread. */
function some(texts: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(texts.length / count));
  return texts.filter((_, at) => at % step === 0);
}

/**
 * Returns real VINs with two characters behind the WMI changed: kinds that nobody has listed, the same ones at each
 * run.
 */
function changed(vins: readonly string[]): string[] {
  return vins.map((vin, index) => {
    const characters = [...vin];
    for (const [at, factor] of [
      [3 + (index % 5), 7],
      [9 + (index % 5), 11],
    ] as const) {
      characters[at] = VIN_CHARACTERS.charAt((index * factor) % VIN_CHARACTERS.length);
    }
    return characters.join('');
  });
}

/** Returns a value of a report as its evidence has it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the faults in the evidence of a VIN's report, in words. */
function faultsOf(vin: string, of: Decoder): string[] {
  const { report, fields } = of.explain(vin);
  const faults: string[] = [];
  for (const [path] of REPORT_ENTRIES) {
    const [first = '', second] = path.split('.');
    const group: unknown = Reflect.get(report, first);
    const value: unknown = second === undefined || group === undefined ? group : Reflect.get(Object(group), second);
    const isNone = value === undefined || (path === 'bodyStyleNormalized' && value === 'unknown');
    if (isNone || OF_THE_VIN.has(path)) continue;
    const evidence = fields.find(({ field }) => field === path);
    const [deciding] = evidence?.rows ?? [];
    const text = textOf(value);
    if (deciding === undefined) faults.push(`${vin} ${path}: nothing decided ${text}`);
    // A plant is a city and its country: each has its claim.
    else if (path !== 'plant' && deciding.value !== text)
      faults.push(`${vin} ${path}: ${deciding.value} is not ${text}`);
    for (const { row, source } of evidence?.rows ?? []) {
      if (evidence?.alternatives.some((other) => other.row === row && other.source === source) === true) {
        faults.push(`${vin} ${path}: "${row}" decided and is an alternative`);
      }
    }
  }
  return faults;
}

describe('an explanation', () => {
  test.each([
    ['labeled', some(known, VINS)],
    ['made up', changed(some(known, VINS))],
  ])('of a %s VIN has a deciding row with the value of each field, which is no alternative', (_, vins) => {
    expect(vins.flatMap((vin) => faultsOf(vin, decoder)).slice(0, 10)).toEqual([]);
  });

  test('is of the report that a decode gives', () => {
    for (const vin of some(known, 200)) expect(decoder.explain(vin).report).toEqual(decoder.decode(vin));
  });

  test('names the fields that a value is derived from', () => {
    const { fields } = decoder.explain('3MW5R1J07M8B82000');
    const engine = fields.find(({ field }) => field === 'specs.engine');
    expect(engine?.note).toContain('specs.displacementCc');
    expect(fields.find(({ field }) => field === 'generation')?.rows[0]?.row).toContain('bmw/');
  });
});
