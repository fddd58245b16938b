import { readFileSync } from 'node:fs';

import { CATALOG_ROOT, ensureCatalog, readLabeled } from '@marque/catalog';
import { checkDigitOf, type Decoder, hasValidCheckDigit, openCatalog } from '@marque/decoder';

import { openNpmPackage } from '../catalog/dist/sources/vpic/npm-package.js';
import { readVpicTables } from '../catalog/dist/sources/vpic/read-npm-package.js';
import { compileWith, type ProjectFacts, readProjectFacts } from '../catalog/dist/src/build.js';
import { compileVpic } from '../catalog/dist/src/vpic/compile.js';
import { readVpicFacts } from '../catalog/dist/src/vpic/facts.js';
import type { VpicTables } from '../catalog/dist/src/vpic/tables.js';
import type { Ratio } from './ratio.ts';
import { median } from './running.ts';

export const name = 'facts';
export const title = 'Decoding the same VINs with all facts, and with about a tenth of them';

/** These have about a tenth of the facts; the others' are left out. */
const MAKES = new Set(['volkswagen', 'toyota', 'kia', 'skoda', 'renault']);
/** Model years and plants that each car's VIN is given: VINs that differ there share no report. */
const VARIED = '123456789ABCDEFGHJKLMNPRSTVWXY';
const ROUNDS = 21;

/** Times the first decode of each variant: later ones are answered from memory, for any catalog. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const all = readFileSync(ensureCatalog().file);
  const tenth = compileTenth(print);
  const [whole, thinned] = [openCatalog(all), openCatalog(tenth)];
  const vins = variants(whole);
  const same = vins.filter((vin) => whole.decodeToJson(vin) === thinned.decodeToJson(vin));
  print(`VINs that read the same  ${same.length} of ${vins.length}`);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [few, many] = [firstDecodeUs(tenth, same), firstDecodeUs(all, same)];
    return { few, many };
  });
  const [few, many] = [median(rounds.map((round) => round.few)), median(rounds.map((round) => round.many))];
  print(`first of a variant       ${few.toFixed(1)} us with a tenth, ${many.toFixed(1)} us with all facts`);
  const ratio = median(rounds.map((round) => round.many / round.few));
  return [{ what: 'Time of the first decode of a variant, all facts', beside: 'a tenth', ratio, aim: '≤ 1.2' }];
}

function firstDecodeUs(catalog: Uint8Array, vins: readonly string[]): number {
  const decoder = openCatalog(catalog);
  const started = performance.now();
  for (const vin of vins) decoder.decode(vin);
  return ((performance.now() - started) * 1000) / vins.length;
}

/** Returns the labeled cars of the makes, in other model years and from other plants. */
function variants(decoder: Decoder): string[] {
  const known = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin }) => vin);
  const cars = known.filter((vin) => hasMake(decoder.decode(vin).manufacturer));
  return cars.flatMap((car) => {
    const changes = [...VARIED].flatMap((year) => [...VARIED].map((plant) => year + plant));
    return changes.map((changed) => {
      const vin = car.slice(0, 9) + changed + car.slice(11);
      return hasValidCheckDigit(car) ? vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9) : vin;
    });
  });
}

function compileTenth(print: (line: string) => void): Uint8Array {
  const tables = readVpicTables(openNpmPackage());
  const project = readProjectFacts();
  const [fewTables, fewFacts] = [vpicOfMakes(tables), factsOfMakes(project)];
  const counted = [
    `vPIC ${share(fewTables.patterns.count, tables.patterns.count)}`,
    `world ${share(rowsOf(fewFacts.world), rowsOf(project.world))}`,
    `specifications ${share(rowsOf(fewFacts.specs.sources), rowsOf(project.specs.sources))}`,
  ];
  print(`a tenth of the facts     ${counted.join(', ')}`);
  return compileWith(compileVpic(fewTables, readVpicFacts()), 'tenth', undefined, fewFacts);
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function vpicOfMakes(tables: VpicTables): VpicTables {
  const wmis = tables.wmis.filter(({ makes }) => makes.some(hasMake));
  const wmiIds = new Set(wmis.map(({ id }) => id));
  const links = tables.links.filter(({ wmiId }) => wmiIds.has(wmiId));
  const used = new Set(links.map(({ schemaId }) => schemaId));
  const { patterns } = tables;
  const rows = Array.from({ length: patterns.count }, (_, row) => row).filter((row) =>
    used.has(patterns.schema[row] ?? -1),
  );
  const numbers = (column: ArrayLike<number>): number[] => rows.map((row) => column[row] ?? 0);
  const texts = (column: readonly string[]): string[] => rows.map((row) => column[row] ?? '');
  return {
    ...tables,
    wmis,
    links,
    schemas: new Map([...tables.schemas].filter(([id]) => used.has(id))),
    patterns: {
      count: rows.length,
      id: Int32Array.from(numbers(patterns.id)),
      schema: Int32Array.from(numbers(patterns.schema)),
      key: texts(patterns.key),
      element: Uint16Array.from(numbers(patterns.element)),
      attribute: texts(patterns.attribute),
      changed: Float64Array.from(numbers(patterns.changed)),
    },
    vehicleSpecs: tables.vehicleSpecs.filter(({ make }) => hasMake(make)),
  };
}

function factsOfMakes({ world, specs, ...rest }: ProjectFacts): ProjectFacts {
  const sources = specs.sources.map((source) => ({ ...source, rows: source.rows.filter(({ make }) => hasMake(make)) }));
  return { ...rest, world: world.filter(({ make }) => hasMake(make)), specs: { ...specs, sources } };
}

function hasMake(make: string | undefined): boolean {
  return MAKES.has(make?.toLowerCase() ?? '');
}

function rowsOf(parts: readonly { rows: readonly unknown[] }[]): number {
  return parts.reduce((sum, { rows }) => sum + rows.length, 0);
}
