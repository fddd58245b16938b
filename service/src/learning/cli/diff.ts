import { readVinCell } from '@marque/catalog/tables';
import type { Decoder, FieldEvidence, VehicleReport } from '@marque/decoder';

import { flatten } from '../../corrections/index.ts';
import { catalogVersion, openConfiguredCatalog } from '../../catalog/index.ts';
import {
  blocksOfColumn,
  type InputFile,
  openInput,
  blocksOfLines,
  vinsIn,
  placeOfVins,
} from '../../decode/cli/index.ts';
import type { Command } from '../../kernel/cli/command.ts';
import { type Io, write, writeNote } from '../../kernel/cli/io.ts';

interface DiffOptions {
  file: string;
  column?: string;
  json?: boolean;
}

/** One field of one VIN that two catalogs answer differently, each with why. */
interface FieldChange {
  vin: string;
  field: string;
  old: string | undefined;
  new: string | undefined;
  /** The evidence of the old answer, or the reason why there was none. */
  oldReason: string;
  newReason: string;
}

/** Adds `catalog diff`. */
export function addDiff(catalog: Command, io: Io): void {
  catalog
    .command('diff')
    .description('show which of your VINs two catalogs decode differently, and why')
    .argument('<old>', 'the older catalog file')
    .argument('<new>', 'the newer catalog file')
    .requiredOption('--file <path>', 'a file with one VIN per line, or CSV with a column of VINs; - for standard input')
    .option(
      '--column <name>',
      'the column of the CSV file that contains the VINs (default: the one whose cells are VINs)',
    )
    .option('--json', 'print one line of JSON for each field that changed')
    .about('Keep a catalog file to compare with before an import or an upgrade, and pin one with CATALOG_FILE.')
    .example('before an upgrade', 'marque catalog diff old.catalog catalog/build/marque.catalog --file fleet.csv')
    .action((before: string, after: string, options: DiffOptions) => runDiff(before, after, options, io));
}

async function runDiff(before: string, after: string, options: DiffOptions, io: Io): Promise<void> {
  const old = openConfiguredCatalog({ catalogFile: before });
  const now = openConfiguredCatalog({ catalogFile: after });
  const input = await openInput({ file: options.file, encoding: undefined, column: options.column }, io);
  const count = { vins: 0, changed: 0, unread: 0 };
  try {
    for await (const texts of vinsOf(input, options.column)) {
      for (const text of texts) {
        const form = readVinCell(text);
        if (form.kind !== 'vin') {
          count.unread += 1;
          continue;
        }
        count.vins += 1;
        const changes = changesOf(form.vin, old, now);
        if (changes.length === 0) continue;
        count.changed += 1;
        await write(io.stdout, changes.map((change) => lineOf(change, options.json === true)).join(''));
      }
    }
  } finally {
    input.progress.stop();
  }
  const versions = `${catalogVersion(old.info)} and ${catalogVersion(now.info)}`;
  const unread = count.unread === 0 ? '' : ` Lines without a valid VIN: ${count.unread}.`;
  await writeNote(io, `${count.changed} of ${count.vins} VINs differ between ${versions}.${unread}\n`);
}

async function* vinsOf(input: InputFile, named: string | undefined): AsyncGenerator<readonly string[]> {
  const place = await placeOfVins(input, named);
  const field = place.kind === 'field' ? place.name : undefined;
  const blocks = place.kind === 'table' ? blocksOfColumn(place) : blocksOfLines(input, field);
  for await (const { block } of blocks)
    yield block.kind === 'lines' ? vinsIn(Buffer.from(block.bytes).toString('utf8'), block.field) : block.texts;
}

function changesOf(vin: string, old: Decoder, now: Decoder): FieldChange[] {
  const [before, after] = [textsOf(old.decode(vin)), textsOf(now.decode(vin))];
  const fields = [...new Set([...before.keys(), ...after.keys()])].filter(
    (field) => before.get(field) !== after.get(field),
  );
  if (fields.length === 0) return [];
  const [oldReasons, newReasons] = [reasonsOf(old, vin), reasonsOf(now, vin)];
  return fields.map((field) => ({
    vin,
    field,
    old: before.get(field),
    new: after.get(field),
    oldReason: oldReasons(field),
    newReason: newReasons(field),
  }));
}

function textsOf(report: VehicleReport): Map<string, string> {
  return new Map(flatten(report));
}

function reasonsOf(decoder: Decoder, vin: string): (field: string) => string {
  const evidence = new Map(decoder.explain(vin).fields.map((field) => [field.field, field]));
  return (field) => reasonOf(evidence.get(field));
}

/** Returns the deciding row, or the reason why the field is open. */
function reasonOf(evidence: FieldEvidence | undefined): string {
  if (evidence === undefined) return 'nothing known';
  const [row] = evidence.rows;
  if (evidence.value !== undefined && row !== undefined) return `${row.source}: ${row.row}`;
  if (evidence.note !== undefined) return evidence.note;
  const open = evidence.alternatives.map(({ value, source }) => `${value} (${source})`);
  return open.length === 0 ? 'nothing known' : `not settled: ${[...new Set(open)].slice(0, 3).join(', ')}`;
}

function lineOf(change: FieldChange, asJson: boolean): string {
  if (asJson) return `${JSON.stringify(change)}\n`;
  const { vin, field, old, new: now, oldReason, newReason } = change;
  return `${vin}  ${field}: ${old ?? '-'} → ${now ?? '-'}\n    old: ${oldReason}\n    new: ${newReason}\n`;
}
