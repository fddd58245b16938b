import type { Hints } from '@marque/decoder';

import type { SharedCatalog } from '../../catalog/index.ts';
import { type Io, write, writeNote } from '../../kernel/cli/io.ts';
import { visible } from '../../kernel/cli/terminal-text.ts';
import { type ColorChoice, isColored } from '../../kernel/cli/paint.ts';
import { BlockPrinter, type Printing } from './block.ts';
import type { Format, FormatName } from './format.ts';
import type { InputFile } from './input.ts';
import type { VinPlace } from './place.ts';
import type { BlockInput, Printed, Threads } from './print-blocks.ts';
import type { DecodeCount, View } from './result.ts';

/** A request of `marque decode`: VINs, or a file of them (`-`: standard input). */
export interface DecodeJob {
  vins: readonly string[];
  file: string | undefined;
  /** Column of VINs; undefined: the one whose cells are VINs, or a VIN a line. */
  column?: string | undefined;
  /** The encoding of the file's text; undefined: detected. */
  encoding?: string | undefined;
  /** Undefined: the rows of a table and the lines of JSON with what was decoded added, anything else as a table. */
  format?: FormatName | undefined;
  explain: boolean;
  /** Prints the fields that the VIN leaves open, with these hints. */
  candidates?: Hints | undefined;
  /** Default: auto. */
  color?: ColorChoice;
  /** Default: all cores for a long file. */
  threads?: Threads;
  /** Writes a file of Parquet, with the columns of CSV. */
  isParquet?: boolean;
}

/**
 * Decodes each input in order and writes the results as they come. Memory does not grow with the input.
 *
 * @throws CommandError when the file cannot be read, or has no such column.
 */
export async function runDecode(catalog: SharedCatalog, job: DecodeJob, io: Io): Promise<DecodeCount> {
  const { file, vins } = job;
  const printing = printingOf(job, io);
  if (file === undefined && job.isParquet === true) return vinsToParquet(catalog, vins, printing, io);
  if (file === undefined) {
    const printer = new BlockPrinter(catalog.decoder, printing);
    const { bytes, ...count } = printer.print({ kind: 'texts', texts: vins });
    await write(io.stdout, Buffer.concat([Buffer.from(printer.format.begin), bytes, Buffer.from(printer.format.end)]));
    return count;
  }
  // Loaded here, as all that reads files: a VIN on the command line needs neither threads nor a CSV parser.
  const { openInput } = await import('./input.ts');
  const input = await openInput({ file, encoding: job.encoding, column: job.column }, io);
  const count = await decodeFile(catalog, job, { input, printing }, io).finally(() => input.progress.stop());
  if (io.stderr.isTTY === true && io.stdout.isTTY !== true) await writeNote(io, countText(count));
  return count;
}

/** Writes a list of VINs as Parquet. Loaded on demand. */
async function vinsToParquet(
  catalog: SharedCatalog,
  texts: readonly string[],
  printing: Printing,
  io: Io,
): Promise<DecodeCount> {
  const { parquetColumns, writeParquet } = await import('./parquet-output.ts');
  const { printBlocks } = await import('./print-blocks.ts');
  const parquet = parquetColumns([VIN_COLUMN], []);
  const blocks: BlockInput[] = [{ block: { kind: 'texts', texts } }];
  return writeParquet(parquet, printBlocks(blocks, catalog, { ...printing, parquet }, undefined), io);
}

/** The column of a list's VINs. */
const VIN_COLUMN = 'vin';

/** Returns the numbers of a file for the person who decodes it; a program counts the results. */
function countText({ decoded, refused }: DecodeCount): string {
  const rows = decoded + refused;
  const faulty = refused === 0 ? '' : ` ${grouped(refused)} without a valid VIN: see the column or field "error".`;
  return `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}, ${grouped(decoded)} decoded.${faulty}\n`;
}

/** Returns a count with its thousands apart. */
function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

async function decodeFile(
  catalog: SharedCatalog,
  job: DecodeJob,
  { input, printing }: { input: InputFile; printing: Printing },
  io: Io,
): Promise<DecodeCount> {
  const { printBlocks } = await import('./print-blocks.ts');
  const printList = (blocks: AsyncIterable<BlockInput>, as: Printing = printing): Promise<DecodeCount> =>
    writeList(
      printBlocks(blocks, catalog, as, input.bytes, job.threads),
      new BlockPrinter(catalog.decoder, as).format,
      io,
    );
  const { placeOfVins } = await import('./place.ts');
  const place = await placeOfVins(input, job.column);
  await sayUnderstood(input, place, job, io);
  if (job.isParquet === true && place.kind === 'field') await sayLeftOut(place, io);
  if (job.isParquet === true) return fileToParquet(catalog, job, { input, printing, place }, io);
  if (place.kind !== 'table') {
    const { blocksOfLines } = await import('./line-blocks.ts');
    if (place.kind === 'lines') return printList(blocksOfLines(input));
    const keepsFields = printing.view === 'report' && (job.format ?? 'jsonl') === 'jsonl';
    if (!keepsFields) await sayLeftOut(place, io);
    return printList(
      blocksOfLines(input, place.name),
      keepsFields ? { ...printing, format: 'jsonl', keepsFields } : printing,
    );
  }
  const { blocksOfTable, decodeColumn } = await import('./column.ts');
  const keepsRows = !job.explain && (job.format ?? 'csv') === 'csv';
  if (!keepsRows) return printList(blocksOfTable(place, false));
  const print = (blocks: AsyncIterable<BlockInput>): AsyncIterable<Printed<BlockInput>> =>
    printBlocks(blocks, catalog, printing, input.bytes, job.threads);
  return decodeColumn(place, job.candidates !== undefined, print, io);
}

/** Writes the rows of a table, or the VINs of a list, as Parquet. Loaded on demand. */
async function fileToParquet(
  catalog: SharedCatalog,
  { threads }: DecodeJob,
  { input, printing, place }: { input: InputFile; printing: Printing; place: VinPlace },
  io: Io,
): Promise<DecodeCount> {
  const { GROUP_ROWS, groupsOf, parquetColumns, writeParquet } = await import('./parquet-output.ts');
  const { printBlocks } = await import('./print-blocks.ts');
  const { blocksOfTable } = await import('./column.ts');
  const { blocksOfLines } = await import('./line-blocks.ts');
  const isTable = place.kind === 'table';
  const parquet = isTable ? parquetColumns(place.header, await place.kinds()) : parquetColumns([VIN_COLUMN], []);
  const field = place.kind === 'field' ? place.name : undefined;
  const blocks = isTable ? blocksOfTable(place, true, GROUP_ROWS) : blocksOfLines(input, field);
  const printed = printBlocks(groupsOf(blocks), catalog, { ...printing, parquet }, input.bytes, threads);
  return writeParquet(parquet, printed, io);
}

/** Reports the interpretation of a file that was not given: its form, its encoding, and the place of its VINs. */
async function sayUnderstood(
  input: InputFile,
  place: VinPlace,
  { column, encoding }: DecodeJob,
  io: Io,
): Promise<void> {
  const isGuessed = input.encoding !== 'utf-8' && encoding === undefined;
  if (place.kind === 'lines') {
    if (isGuessed) await writeNote(io, `The file is text in ${input.encoding}.\n`);
    return;
  }
  if (column !== undefined && !isGuessed) return;
  const name = nameOf(place);
  const form = `${place.kind === 'table' ? place.form : 'JSON Lines'}${isGuessed ? ` in ${input.encoding}` : ''}`;
  const titles = place.kind === 'table' && place.layout.firstRow > 1 ? ` Rows above its names are left out.` : '';
  await writeNote(io, `The file is ${form}; VINs are read from ${name}.${titles}\n`);
}

/** Reports that a format has the VINs of lines of JSON and none of their other fields. */
async function sayLeftOut({ isAlone }: Extract<VinPlace, { kind: 'field' }>, io: Io): Promise<void> {
  if (!isAlone) await writeNote(io, 'The other fields are left out. Use --format jsonl to keep them.\n');
}

/** Names the column or the field of VINs for its reader; a column without a name has its number. */
function nameOf(place: Exclude<VinPlace, { kind: 'lines' }>): string {
  if (place.kind === 'field') return `the field "${visible(place.name)}"`;
  const { columnName } = place.layout;
  return /^column \d+$/.test(columnName) ? columnName : `the column "${visible(columnName)}"`;
}

/** Writes printed blocks as one list. */
async function writeList(
  blocks: AsyncIterable<Printed<BlockInput>>,
  { begin, between, end }: Format,
  io: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  await write(io.stdout, begin);
  for await (const { printed } of blocks) {
    const { decoded, refused, bytes } = printed;
    if (decoded + refused === 0) continue;
    if (count.decoded + count.refused > 0) await write(io.stdout, between);
    count.decoded += decoded;
    count.refused += refused;
    await write(io.stdout, bytes);
    // Frees the memory at once: as garbage it would stay for long, since the main thread makes little else.
    bytes.buffer.transfer(0);
  }
  await write(io.stdout, end);
  return count;
}

function printingOf(job: DecodeJob, { stdout, env }: Io): Printing {
  return {
    view: viewOf(job),
    format: job.format ?? 'table',
    single: job.file === undefined && job.vins.length === 1,
    isColored: isColored(job.color ?? 'auto', stdout, env),
    width: stdout.isTTY === true ? stdout.columns : undefined,
    hints: job.candidates ?? {},
    isFile: job.file !== undefined,
    keepsFields: false,
  };
}

function viewOf({ format, explain, candidates }: DecodeJob): View {
  if (format === 'vpic') return 'vpic';
  if (candidates !== undefined) return 'candidates';
  return explain ? 'explanation' : 'report';
}
