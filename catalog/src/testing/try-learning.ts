import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Decoder, openCatalog, readSharedCatalog, withOverlay } from '@marque/decoder';

import { modelsAgree } from '../labels/words.ts';
import { compileWith, readProjectFacts } from '../build.ts';
import { learnFromFiles } from '../lab/learn/command.ts';
import { compileOverlay } from '../lab/learn/overlay.ts';
import { readCars } from '../lab/learn/read-cars.ts';
import { catalogFile } from '../root.ts';
import { packagedVpic } from '../vpic/packaged.ts';
import { readWorld } from '../world/load.ts';
import type { VinLayout } from '../world/model.ts';

const USAGE = 'Usage: node catalog/dist/src/testing/try-learning.js CARS.csv MAKER';
/** The interval of sampling the cars of all other makers. */
const SAMPLE = 20;
const KIB_IN_MIB = 1024;
const MS_IN_S = 1000;

/**
 * `node catalog/dist/src/testing/try-learning.js CARS.csv MAKER`: learns from the cars that write-cars.ts wrote with a
 * catalog that lacks the folder MAKER of facts/world, and prints its time, the number of the maker's cars that are
 * decoded again, and the number of wrong answers.
 */
const [file, maker, output] = process.argv.slice(2);
if (file === undefined || maker === undefined) throw new Error(USAGE);
const known = readWorld().layouts.filter(({ id }) => !id.startsWith(`${maker}/`));
// Another process compiles the catalog: what that takes is not what learning takes.
if (output === undefined) await tryLearning(file, maker);
else writeFileSync(output, compileWith(packagedVpic(), '', undefined, { ...readProjectFacts(), world: known }));

async function tryLearning(cars: string, leftOut: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-trial-'));
  const without = join(folder, 'without.catalog');
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), cars, leftOut, without], { stdio: 'inherit' });
  const catalog = readSharedCatalog(without);
  const base = openCatalog(catalog);
  const [start, { userCPUTime, systemCPUTime }] = [performance.now(), process.resourceUsage()];
  const out = join(folder, 'learned');
  const learned = await learnFromFiles([cars], { catalog, layouts: known, out });
  const { userCPUTime: user, systemCPUTime: system, maxRSS } = process.resourceUsage();
  const cpu = (user + system - userCPUTime - systemCPUTime) / 1e6;
  const elapsed = (performance.now() - start) / MS_IN_S;
  const overlay = compileOverlay(out, known, '2026-01-01');
  print(
    `${learned.cars} cars: ${elapsed.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${(maxRSS / KIB_IN_MIB).toFixed(0)} MiB`,
  );
  print(`${overlay.rows} rows, ${overlay.layouts} layouts: ${out}`);
  compare(cars, base, withOverlay(base, overlay.bytes), wmisOf(leftOut));
}

function wmisOf(leftOut: string): Set<string> {
  const own = readWorld().layouts.filter(({ id }: VinLayout) => id.startsWith(`${leftOut}/`));
  return new Set(own.flatMap(({ wmis }) => wmis.map((wmi) => wmi.slice(0, 3))));
}

/** Compares the overlay's answers with the whole catalog, from which the right labels come. */
function compare(cars: string, base: Decoder, overlaid: Decoder, wmis: ReadonlySet<string>): void {
  const whole = openCatalog(readFileSync(catalogFile()));
  const own = { lost: 0, right: 0, wrong: 0, asLabeled: 0 };
  const others = { ...own };
  let number = 0;
  for (const { vin, car } of readCars(cars)) {
    const isOwn = wmis.has(vin.slice(0, 3));
    if (!isOwn && number++ % SAMPLE > 0) continue;
    const truth = whole.decode(vin);
    if (truth.model === undefined || base.decode(vin).model !== undefined) continue;
    const to = isOwn ? own : others;
    to.lost++;
    const { model, manufacturer = '' } = overlaid.decode(vin);
    if (model === undefined) continue;
    const isRight = manufacturer === truth.manufacturer && modelsAgree(manufacturer, truth.model, model);
    to[isRight ? 'right' : 'wrong']++;
    if (!isRight && model === car().expected.model) to.asLabeled++;
  }
  for (const [title, { lost, right, wrong, asLabeled }] of [
    ['left out', own],
    ['others (sample)', others],
  ] as const) {
    print(
      `${title}: of ${lost} cars without a model ${right} have the right one, ${wrong} another one, ${asLabeled} of them as a wrong label says`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
