import { availableParallelism } from 'node:os';

import type { SharedCatalog } from '../../catalog/index.ts';
import { CommandError } from '../../kernel/cli/io.ts';
import { inOrder } from '../../kernel/threads/in-order.ts';
import { scriptBeside, ThreadPool } from '../../kernel/threads/pool.ts';
import { joinedRows, type OutputRows } from './output.ts';
import { type Block, BlockPrinter, type PrintedBlock, type Printing } from './block.ts';
import { GroupPrinter } from './group-printer.ts';
import { LANES } from './lanes.ts';
import { csvReader } from './place.ts';
import type { BlockThreadStart } from './thread.ts';

const THREAD = scriptBeside(import.meta.url, 'thread');

/**
 * Heap limits of a thread, in MiB: it needs a block at a time, and without limits it would keep garbage like a whole
 * service.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** Most threads; each takes some 60 MiB. */
const MOST_THREADS = 32;

/** About 30,000 VINs: from there on threads are done sooner, although each has to open the catalog and to warm up. */
const WORTH_THREADS_BYTES = 500_000;

/** A block, with any data that its reader keeps of it. */
export interface BlockInput {
  block: Block;
  /** The beginnings of its rows, where the block has only their VINs. */
  before?: OutputRows;
}

/** A printed block, with its input. */
export interface Printed<Input extends BlockInput> {
  input: Input;
  printed: PrintedBlock;
}

/** The conditions under which threads are used. */
export interface Threads {
  /** 1: none beside the main thread. */
  most: number;
  /** The input size in bytes from which threads are used: below, one would take longer to start than to decode. */
  fromBytes: number;
}

/**
 * Prints blocks in their order: the first ones in this thread, and on all cores once there is enough for it.
 *
 * @param inputBytes size of the whole input; undefined: unknown.
 * @throws the error that a thread ended with; CommandError behind a block with a fault.
 */
export async function* printBlocks<Input extends BlockInput>(
  blocks: AsyncIterable<Input> | Iterable<Input>,
  catalog: SharedCatalog,
  printing: Printing,
  inputBytes: number | undefined,
  threads: Threads = allCores(),
): AsyncGenerator<Printed<Input>> {
  const groups = await GroupPrinter.of(catalog.decoder, printing);
  const here = new BlockPrinter(catalog.decoder, printing, csvReader, groups);
  const workerData: BlockThreadStart = { catalog: catalog.bytes, printing };
  const start = (most: number): ThreadPool<Block, PrintedBlock> =>
    new ThreadPool({ script: THREAD, workerData, threads: Math.max(1, Math.floor(most)), limits: THREAD_LIMITS });
  let lanes: readonly ThreadPool<Block, PrintedBlock>[] = [];
  const startFor = (block: Block): typeof lanes => {
    if (isShared(block, printing)) return Array.from({ length: LANES }, () => start(threads.most / LANES));
    // To read a workbook keeps a core busy.
    return [start(block.kind === 'cells' ? threads.most - 1 : threads.most)];
  };
  let bytes = 0;
  const isMuch = (): boolean => threads.most > 1 && Math.max(bytes, inputBytes ?? 0) >= threads.fromBytes;
  let turn = 0;
  const partsOf = async (block: Block): Promise<readonly PrintedBlock[]> => {
    if (!isMuch()) return [here.print(block)];
    if (lanes.length === 0) lanes = startFor(block);
    const [first] = lanes;
    if (isShared(block, printing)) return partsOfShares(block, lanes, turn++ % lanes.length);
    return first === undefined ? [] : [await first.run(block, transferOf(block))];
  };
  const print = async (input: Input): Promise<Printed<Input>> => {
    bytes += bytesOf(input.block);
    return { input, printed: joined(await partsOf(input.block), input.before) };
  };
  try {
    // Twice as many as the threads have at once: a slow block does not hold up those behind it. Row groups are large and alike.
    const most = (printing.parquet === undefined ? 4 : 2) * threads.most;
    for await (const done of inOrder(blocks, most, print)) {
      yield done;
      if (done.printed.fault !== undefined) throw new CommandError(done.printed.fault);
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

type SharedBlock = Extract<Block, { kind: 'csv' }>;

/** Returns true if a block has rows that are printed apart from each other. */
function isShared(block: Block, { view, parquet }: Printing): block is SharedBlock {
  return view === 'report' && parquet === undefined && block.kind === 'csv' && block.table.isKept;
}

/** Has every group print its share of a block. `parser`: the group that prints all of it, should it need a parser. */
async function partsOfShares(
  block: SharedBlock,
  lanes: readonly ThreadPool<Block, PrintedBlock>[],
  parser: number,
): Promise<readonly PrintedBlock[]> {
  const shares = lanes.map((lane, number) =>
    lane.run({ ...block, share: { lane: number, parses: number === parser } }),
  );
  const parts = await Promise.all(shares);
  // Frees the memory at once: as garbage it would stay for long, since the main thread makes little else.
  block.piece.bytes.buffer.transfer(0);
  const parsed = parts[parser];
  return parsed !== undefined && parsed.ends === undefined ? [parsed] : parts;
}

/** Joins what was printed of a block. */
function joined(parts: readonly PrintedBlock[], before: OutputRows | undefined): PrintedBlock {
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && before === undefined) return only;
  const rows = [
    ...(before === undefined ? [] : [before]),
    ...parts.map(({ bytes, ends }) => ({ bytes, ends: ends ?? NO_ENDS })),
  ];
  const sum = (of: 'decoded' | 'refused'): number => parts.reduce((all, part) => all + part[of], 0);
  const bytes = joinedRows(rows);
  for (const part of rows) part.bytes.buffer.transfer(0);
  return { decoded: sum('decoded'), refused: sum('refused'), bytes };
}

const NO_ENDS = new Uint32Array();

function allCores(): Threads {
  return { most: Math.min(availableParallelism(), MOST_THREADS), fromBytes: WORTH_THREADS_BYTES };
}

function bytesOf(block: Block): number {
  if (block.kind === 'lines') return block.bytes.length;
  if (block.kind === 'csv') return block.piece.bytes.length;
  if (block.kind === 'rows' || block.kind === 'cells') return block.json.length;
  let bytes = 0;
  for (const text of block.texts) bytes += text.length;
  return bytes;
}

function transferOf(block: Block): ArrayBuffer[] {
  if (block.kind === 'csv') return [block.piece.bytes.buffer];
  return block.kind === 'lines' ? [block.bytes.buffer] : [];
}
