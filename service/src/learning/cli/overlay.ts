import { compileOverlay, loadWorld, type Overlay } from '@marque/catalog';
import { withOverlay } from '@marque/decoder';

import {
  importOverlay,
  LiveCatalog,
  overlayInForce,
  revertOverlay,
  labeledFolder,
  openConfiguredCatalog,
} from '../../catalog/index.ts';
import { changeLines, printed } from '../../corrections/cli/index.ts';
import {
  changesBetween,
  contradictionText,
  correctedDecoder,
  type Impact,
  labeledVins,
  LiveOverrides,
  survey,
} from '../../corrections/index.ts';
import { operator, withDatabase } from '../../kernel/cli/settings.ts';
import type { Command } from '../../kernel/cli/command.ts';
import {
  CommandError,
  type Io,
  type JsonOption,
  write,
  writeHint,
  writeJson,
  writeOutcome,
} from '../../kernel/cli/io.ts';
import { isoDay, systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';

/** The folder that `marque catalog learn --out learned` writes. */
const DEFAULT_FOLDER = 'learned';

/** The time at which an import takes effect. */
export const LIVE = 'Every instance decodes with it within two seconds.';

export interface ImportOptions extends JsonOption {
  preview?: boolean;
  reason?: string;
}

/** Puts learned rows over the catalog of all instances, or reports their effect. */
export async function importLearned(
  folder: string = DEFAULT_FOLDER,
  { preview, reason = '', json }: ImportOptions,
  io: Io,
): Promise<void> {
  const overlay = readOverlay(folder);
  const { rows, layouts } = overlay;
  await withDatabase(io, async (database, config) => {
    const base = openConfiguredCatalog(config);
    const impact = await impactOf(database, base, overlay);
    if (preview === true) {
      if (json === true) return writeJson(io.stdout, { rows, layouts, impact });
      return write(io.stdout, `${folder}: ${rows} rows, ${layouts} new layouts.\n${impactText(impact)}`);
    }
    const id = await importOverlay({ database, clock: systemClock }, overlay, { by: operator(), reason });
    if (json === true) return writeJson(io.stdout, { id, rows, layouts, impact });
    const text = `Imported ${rows} rows and ${layouts} new layouts as overlay ${id}. ${LIVE}\n`;
    return writeHint(io, `${text}${impactText(impact)}To undo this: marque catalog revert\n`);
  });
}

function readOverlay(folder: string): Overlay {
  try {
    return compileOverlay(folder, loadWorld(), isoDay(systemClock()));
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** Compares with the present answers, including corrections and the overlay in force. */
async function impactOf(
  database: Database,
  base: ReturnType<typeof openConfiguredCatalog>,
  overlay: Overlay,
): Promise<Impact> {
  const [live, catalog] = [await LiveOverrides.open(database), await LiveCatalog.open(base, database)];
  try {
    const before = correctedDecoder(catalog, live.current);
    const after = correctedDecoder({ decoder: withOverlay(base, overlay.bytes) }, live.current);
    // Any VIN may be covered.
    return await survey({ database, labelled: labeledVins(labeledFolder()) }, (vin, expected) =>
      changesBetween(before.decode(vin), after.decode(vin), expected),
    );
  } finally {
    await catalog.close();
    await live.close();
  }
}

/** Returns the effect of learned rows, as lines. */
export function impactText({ vins, labelled, stored, harmed }: Impact): string {
  return printed([
    `Labeled VINs: ${labelled.changed} of ${labelled.looked} change.`,
    ...(harmed === 0 ? [] : [contradictionText(harmed)]),
    `Recent decodes: ${stored.changed} of ${stored.looked} change.`,
    ...vins.flatMap(changeLines),
  ]);
}

/** Adds `catalog revert`. */
export function addRevert(catalog: Command, io: Io): void {
  catalog
    .command('revert')
    .description('undo the latest import of learned rows; the one before it becomes active again')
    .option('--reason <text>', 'the reason, for the audit log')
    .option('--json', 'print the outcome as JSON')
    .reads('DATA_DIR', 'DATABASE_URL')
    .action(async (options: RevertOptions) => runRevert(options, io));
}

interface RevertOptions extends JsonOption {
  reason?: string;
}

async function runRevert({ reason = '', ...options }: RevertOptions, io: Io): Promise<void> {
  await withDatabase(io, async (database) => {
    const reverted = await revertOverlay({ database, clock: systemClock }, { by: operator(), reason });
    if (reverted === undefined) throw new CommandError('No overlay is active. See marque audit list.');
    const inForce = await overlayInForce(database);
    const now = inForce === undefined ? 'No overlay is active' : `Overlay ${inForce.id} is active`;
    const text = `Overlay ${reverted.id} is reverted. ${now} on every instance within two seconds.`;
    return writeOutcome(io, options, { reverted: reverted.id, inForce: inForce?.id ?? null }, text);
  });
}
