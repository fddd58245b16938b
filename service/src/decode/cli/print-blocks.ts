import { availableParallelism } from 'node:os';

import type { SharedCatalog } from '../../catalog/index.ts';
import { CommandError } from '../../kernel/cli/io.ts';
import { inOrder } from '../../kernel/threads/in-order.ts';
import { scriptBeside, ThreadPool } from '../../kernel/threads/pool.ts';
import { type Block, BlockPrinter, type PrintedBlock, type Printing } from './block.ts';
import { GroupPrinter } from './group-printer.ts';
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
  const pool = new ThreadPool<Block, PrintedBlock>({
    script: THREAD,
    workerData,
    threads: threads.most,
    limits: THREAD_LIMITS,
  });
  let bytes = 0;
  const isMuch = (): boolean => threads.most > 1 && Math.max(bytes, inputBytes ?? 0) >= threads.fromBytes;
  const print = async (input: Input): Promise<Printed<Input>> => {
    const { block } = input;
    bytes += bytesOf(block);
    const printed = isMuch() ? pool.run(block, transferOf(block)) : here.print(block);
    return { input, printed: await printed };
  };
  try {
    // Twice as many as keep the threads busy: a slow block does not hold up those behind it. Row groups are large and alike.
    const most = printing.parquet === undefined ? 2 * pool.capacity : pool.capacity;
    for await (const done of inOrder(blocks, most, print)) {
      yield done;
      if (done.printed.fault !== undefined) throw new CommandError(done.printed.fault);
    }
  } finally {
    await pool.close();
  }
}

function allCores(): Threads {
  return { most: Math.min(availableParallelism(), MOST_THREADS), fromBytes: WORTH_THREADS_BYTES };
}

function bytesOf(block: Block): number {
  if (block.kind === 'lines') return block.bytes.length;
  if (block.kind === 'csv') return block.piece.bytes.length;
  if (block.kind === 'rows') return block.json.length;
  let bytes = 0;
  for (const text of block.texts) bytes += text.length;
  return bytes;
}

function transferOf(block: Block): ArrayBuffer[] {
  if (block.kind === 'csv') return [block.piece.bytes.buffer];
  return block.kind === 'lines' ? [block.bytes.buffer] : [];
}
