import { isDeepStrictEqual } from 'node:util';

import { openCatalog, type VehicleReport } from '@marque/decoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { lintReport, variants } from '../lab/reports/lint.ts';
import { loadSpecs } from '../specs/load.ts';
import { compileVpic, type CompiledVpic } from './compile.ts';
import { readVpicFacts } from './facts.ts';
import { packagedVpic } from './packaged.ts';
import { vpicVins } from '../testing/vpic-vins.ts';
import { packagedTables } from '../testing/packaged-tables.ts';
import { engineCode, nameCorrections } from '../values/index.ts';

const MAKES = `Acura|Audi|BMW|Buick|Cadillac|Chevrolet|Chrysler|Dodge|Ford|Geo|GMC|Honda|Hyundai|Infiniti|Jaguar|Jeep|Kia|
Land Rover|Lexus|Lincoln|Mazda|Mercedes-Benz|Mercury|MINI|Mitsubishi|Nissan|Plymouth|Pontiac|Porsche|Ram|Saab|Scion|Subaru|
Suzuki|Tesla|Toyota|Volkswagen|Volvo`;

/** Names of models that are a badge or an engine of others too. */
const BADGES = new Set(['V8', 'ZX2', 'B7']);

const reports: VehicleReport[] = [];
let compiled: CompiledVpic;

beforeAll(() => {
  const tables = packagedTables();
  compiled = compileVpic(tables, readVpicFacts());
  const makes = new Set(MAKES.toUpperCase().split(/\s*\|\s*/));
  const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
  for (const vin of vpicVins(tables, makes)) reports.push(decoder.decode(vin));
}, 300_000);

afterAll(() => {
  reports.length = 0;
});

/** Returns the first of each kind of fault, with a VIN that shows it. */
function faults(of: (report: VehicleReport) => string | undefined): string[] {
  const found = new Map<string, string>();
  for (const report of reports) {
    const fault = of(report);
    if (fault !== undefined && !found.has(fault)) found.set(fault, `${fault} (${report.vin})`);
  }
  return [...found.values()];
}

function isAlike(model: string, word: string): boolean {
  return model.includes(word) || word.includes(model);
}

/** Returns the number of cylinders and the code of "3.5 L V6 (J35Y6), gasoline". */
function engineOf({ specs }: VehicleReport): { cylinders: number; code: string } {
  const line = specs?.engine ?? '';
  const cylinders = Number(/ (?:[IVW]|flat-)(\d+)\b|(\d+)-cylinder/.exec(line)?.slice(1).find(Boolean) ?? 0);
  return { cylinders, code: /\(([A-Z0-9-]+)\)/.exec(line)?.[1] ?? '' };
}

test("the compiled tables kept beside the catalog equal the compiler's present output", () => {
  const { strings, sections, ...others } = packagedVpic();
  expect(others).toEqual({ ...compiled, strings: undefined, sections: undefined });
  expect(isDeepStrictEqual(strings, compiled.strings)).toBe(true);
  expect(isDeepStrictEqual(sections, compiled.sections)).toBe(true);
});

describe('combinations of NHTSA’s rows', () => {
  test('is enough to look at', () => {
    expect(reports.length).toBeGreaterThan(5000);
  });

  test('has one canonical style for each body that is named', () => {
    const styles = Map.groupBy(
      reports.filter(({ bodyStyle }) => bodyStyle !== undefined),
      ({ bodyStyle }) => bodyStyle?.split(',')[0] ?? '',
    );
    const several = [...styles].filter(([, of]) => new Set(of.map((report) => report.bodyStyleNormalized)).size > 1);
    expect(several.map(([label]) => label)).toEqual([]);
  });

  test('has no badge that names other driven wheels than the report', () => {
    const wrong = faults(({ manufacturer, model, trim = '', specs }) => {
      if (/[,;]| \/ |\bor\b/i.test(trim) || specs?.driveType === undefined) return undefined;
      const all = /\b(?:awd|4wd|xdrive|4matic|quattro|4motion|all4|all-trac|syncro|sh-awd)\b/i.test(trim);
      const two = /\b(?:2wd|sdrive|fwd|rwd)\b/i.test(trim);
      const drivesAll = /^(?:All|Four)/.test(specs.driveType);
      return (all && !two && !drivesAll) || (two && !all && drivesAll) ? `${manufacturer} ${model} ${trim}` : undefined;
    });
    expect(wrong).toEqual([]);
  });

  test('has no trim that is a note, a list or belongs to another engine', () => {
    // Defenders and Project cars are called so; some Civics and Subarus came as wagons only.
    const named = /"(?:90 |G 550 4x4|AMG G 63 4x4|(?:SV )?Project|Wagon|CL 500)/;
    const wrong = faults(
      (report) =>
        lintReport(report).find(
          ({ what }) => /^(?:no|a note|capitals|a word twice|an engine)\b.*\btrim\b/.test(what) && !named.test(what),
        )?.what,
    );
    expect(wrong).toEqual([]);
  });

  test('has one way to write each model, trim and body of a make', () => {
    expect(variants(reports)).toEqual([]);
  });

  test('has no engine code with another number of cylinders', () => {
    const wrong = faults((report) => {
      const { cylinders, code } = engineOf(report);
      const meant = engineCode(code)?.cylinders ?? 0;
      return meant !== 0 && cylinders !== 0 && meant !== cylinders ? `${code} with ${cylinders} cylinders` : undefined;
    });
    expect(wrong).toEqual([]);
  });

  test('has no engine that nobody builds', () => {
    const wrong = faults((report) => {
      const { specs, vehicleType } = report;
      const { cylinders } = engineOf(report);
      const line = specs?.engine ?? '';
      if (/ (?:I(?:7|8|10|12)|V3|flat-[357])\b/.test(line)) return line;
      const cylinderCc = cylinders < 2 || specs?.displacementCc === undefined ? 500 : specs.displacementCc / cylinders;
      return cylinderCc < 120 || (vehicleType === 'Passenger car' && cylinderCc > 950) ? line : undefined;
    });
    expect(wrong).toEqual([]);
  });

  test('has no size of engine whose cylinders the EPA contradicts', () => {
    const variants = Map.groupBy(
      loadSpecs().sources.find(({ id }) => id === 'epa')?.rows ?? [],
      ({ make, model }) => `${make}|${model}`,
    );
    const wrong = faults((report) => {
      const { cylinders } = engineOf(report);
      const [cc, year] = [report.specs?.displacementCc ?? 0, Number(report.modelYear ?? 0)];
      if (cylinders === 0 || cc === 0 || year === 0) return undefined;
      const same = (variants.get(`${report.manufacturer}|${report.model}`) ?? []).filter(
        (row) => row.from <= year && year <= row.to && row.cc !== undefined && Math.abs(row.cc - cc) <= 60,
      );
      const contradicts =
        same.length > 0 && same.every((row) => row.cylinders !== undefined && row.cylinders !== cylinders);
      return contradicts ? `${report.manufacturer} ${report.model} of ${cc} cc with ${cylinders} cylinders` : undefined;
    });
    // Variants that the fuel, the body or the drive rules out before the cylinders are looked at.
    expect(wrong.length).toBeLessThan(12);
  });

  test('has no trim that names another model', () => {
    const models = new Map<string, Set<string>>();
    for (const { manufacturer = '', model } of reports) {
      if (model === undefined || !/^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{2,}$/.test(model)) continue;
      models.set(manufacturer, (models.get(manufacturer) ?? new Set()).add(model));
    }
    const wrong = faults(({ manufacturer = '', model = '', trim = '' }) => {
      const other = trim
        .split(/[^A-Za-z0-9-]+/)
        .find((word) => models.get(manufacturer)?.has(word) === true && !isAlike(model, word) && !BADGES.has(word));
      return other === undefined ? undefined : `${manufacturer} ${model} with the trim ${trim}`;
    });
    expect(wrong).toEqual([]);
  });

  test('names no platform and no other than the right name', () => {
    const corrected = nameCorrections().filter(({ vin, text }) => vin === '' && text === '');
    const wrong = faults(({ manufacturer, model, modelYear }) => {
      const year = Number(modelYear ?? 0);
      const row = corrected.find(
        (known) =>
          known.make === manufacturer &&
          known.model === model &&
          (known.from === 0 || (year !== 0 && year >= known.from)) &&
          (known.to === 0 || (year !== 0 && year <= known.to)),
      );
      return row === undefined ? undefined : `${manufacturer} ${model} of ${modelYear}`;
    });
    expect(wrong).toEqual([]);
    expect(faults(({ model }) => (/^(?:GMT-\d|U\d{3}$)/.test(model ?? '') ? model : undefined))).toEqual([]);
  });
});
