import { join } from 'node:path';

import {
  CAR_REGISTERS,
  type CarProgress,
  type CarRegisterName,
  type Disagreement,
  impactOfOverlay,
  type KeptRegister,
  learnRegister,
  type ImportedCars,
  overlayOfRegisters,
  patternsText,
  type RegisterImpact,
  settledFields,
} from '@marque/catalog';
import { withOverlay } from '@marque/decoder';

import {
  importedRegisters,
  importRegisterCars,
  keptRegisters,
  removeRegister,
  openConfiguredCatalog,
} from '../../catalog/index.ts';
import { progressBar } from '../../decode/cli/index.ts';
import type { Config } from '../../kernel/config/config.ts';
import { operator, withDatabase } from '../../kernel/cli/settings.ts';
import { CommandError, type Io, type JsonOption, write, writeJson, writeOutcome } from '../../kernel/cli/io.ts';
import { isoDay, systemClock } from '../../kernel/clock.ts';
import { type ImportOptions, LIVE } from './overlay.ts';

const PERCENT = 100;
const MOST_DISAGREEMENTS = 20;

/**
 * Reads a register of cars, reports its effect, and, without `--preview`, puts it over the catalog of all instances.
 */
export async function importCars(
  name: CarRegisterName,
  files: readonly string[],
  { preview = false, reason = '', json }: ImportOptions,
  io: Io,
): Promise<void> {
  // Before the files are read, which may take hours: an unusable database is reported at once.
  await withDatabase(io, async (database, config) => {
    const startedAt = performance.now();
    const read = await importOf(name, files, config, io);
    const seconds = Math.round((performance.now() - startedAt) / PERCENT) / 10;
    const patterns = patternsText(read.patterns);
    const fields = settledFields(read.patterns);
    const { records, cars, twice, refused, resumedAt } = read;
    const imported = isoDay(systemClock());
    const others = (await keptRegisters(database.kysely)).filter(({ register }) => register !== name);
    const kept: KeptRegister[] = [...others, { register: name, imported, patterns }];
    const overlay = overlayOfRegisters(kept);
    const base = openConfiguredCatalog(config);
    const impact = impactOfOverlay(base, withOverlay(base, overlay.bytes), overlay);
    const { disagreements } = overlay.merged;
    if (!preview) {
      const what = { register: name, records, cars, fields, patterns };
      await importRegisterCars({ database, clock: systemClock }, what, { by: operator(), reason });
    }
    const leftOut = [...read.leftOut].map(([field, { right, count }]) => ({ field, right, count }));
    const outcome = { register: name, preview, records, cars, twice, seconds, resumedAt, refused, fields, leftOut };
    if (json === true) {
      return writeJson(io.stdout, { ...outcome, disagreements: disagreements.slice(0, MOST_DISAGREEMENTS), impact });
    }
    const done = preview ? 'Nothing was changed.' : `${LIVE} To undo this: marque catalog remove ${name}`;
    const { counts = 'cars' }: { counts?: string } = CAR_REGISTERS[name];
    const text = [
      `Read ${cars} ${counts} of ${records} records in ${seconds} s; ${twice} came twice.`,
      ...(resumedAt > 0 ? [`Went on after record ${resumedAt}, where an earlier import was stopped.`] : []),
      ...refused.map(refusalLine),
      ...taughtLines(read, fields, counts),
      ...disagreementLines(disagreements),
      ...impactLines(impact),
      done,
    ].join('\n');
    return write(io.stdout, `${text}\n`);
  });
}

async function importOf(
  name: CarRegisterName,
  files: readonly string[],
  { dataDir }: Config,
  io: Io,
): Promise<ImportedCars> {
  const bar = progressBar('Reading', 1, io.stderr);
  const startedAt = performance.now();
  let before: CarProgress | undefined;
  const onProgress = (progress: CarProgress): void => {
    before ??= progress;
    const read = progress.records - before.records;
    bar.to(progress.share, `${Math.round(read / ((performance.now() - startedAt) / 1000))} records/s`);
  };
  try {
    const imported = await learnRegister(name, files, { onProgress, folder: join(dataDir, 'importing') });
    if (imported.kind === 'refused') throw new CommandError(imported.reason);
    return imported;
  } finally {
    bar.stop();
  }
}

/** Takes a register of cars out of the catalog of all instances. */
export async function removeCars(name: CarRegisterName, options: JsonOption, io: Io): Promise<void> {
  await withDatabase(io, async (database) => {
    const removed = await removeRegister({ database, clock: systemClock }, name, { by: operator(), reason: '' });
    if (!removed) throw new CommandError(`Nothing was imported as ${name}.`);
    const text = `Removed ${name}. Every instance decodes without it within two seconds.`;
    return writeOutcome(io, options, { removed: name }, text);
  });
}

/** Returns the registers of cars that are over the catalog, as lines. */
export async function registersOf(io: Io) {
  const found: Awaited<ReturnType<typeof importedRegisters>> = [];
  await withDatabase(io, async (database) => void found.push(...(await importedRegisters(database))));
  return found.map(({ id, importedAtMs, importedBy, records, cars, fields }) => {
    const imported = isoDay(importedAtMs);
    return { id, imported, importedBy, records, cars, fields };
  });
}

/** Returns the reason for skipped records, with the first lines. */
export function refusalLine({ reason, records, lines }: ImportedCars['refused'][number]): string {
  const more = records > lines.length ? ', …' : '';
  return `  ${records} skipped: ${reason} (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})`;
}

function taughtLines(
  { patterns, leftOut }: ImportedCars,
  fields: ReturnType<typeof settledFields>,
  counts: string,
): string[] {
  if (fields.length === 0) return ['Too few cars of any VIN pattern agree on anything: nothing is learned.'];
  return [
    leftOut.size === 0
      ? `${patterns.length} VIN patterns. What is told of them:`
      : `${patterns.length} VIN patterns. What their cars agree on, and how right that was about cars left out:`,
    ...fields.map(({ field, patterns: settled, cars }) => {
      const tried = leftOut.get(field);
      const right = tried === undefined ? '' : ` · ${share(tried.right, tried.count)} of ${tried.count} left out`;
      return `  ${field.padEnd(12)} ${settled} patterns · ${cars} ${counts}${right}`;
    }),
  ];
}

function disagreementLines(disagreements: readonly Disagreement[]): string[] {
  if (disagreements.length === 0) return [];
  return [
    `${disagreements.length} fields stay open because registers disagree:`,
    ...disagreements.slice(0, MOST_DISAGREEMENTS).map(({ mask, field, said }) => {
      const parts = said.map(({ register, value, cars }) => `${register} ${value} (${cars} cars)`);
      return `  ${mask} ${field}: ${parts.join(', ')}`;
    }),
  ];
}

/** Lists the fields for which the share of labeled European VINs with an answer changes. */
export function gainLines({ vins, gains }: Pick<RegisterImpact, 'vins' | 'gains'>): string[] {
  if (vins === 0) return ['There are no labeled VINs here: a clone has them.'];
  if (gains.length === 0) return [`Of ${vins} labeled European VINs none gains an answer.`];
  return [
    `Of ${vins} labeled European VINs, with an answer before and after:`,
    ...gains.map(({ field, before, after }) => `  ${field}: ${share(before, vins)} > ${share(after, vins)}`),
  ];
}

function impactLines({ contradicted, contradictions, ...answers }: RegisterImpact): string[] {
  if (contradicted === 0) return [...gainLines(answers), 'The catalog contradicts none of it.'];
  return [
    ...gainLines(answers),
    `The catalog says otherwise ${contradicted} times, and keeps what it says. The most cars:`,
    ...contradictions.map(
      ({ mask, field, catalog, register, cars }) =>
        `  ${mask} ${field}: ${catalog} in the catalog, ${register} registered (${cars} cars)`,
    ),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * PERCENT).toFixed(1)} %`;
}
