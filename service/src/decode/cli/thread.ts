import { workerData } from 'node:worker_threads';

import { openCatalog } from '@marque/decoder';

import { answerRequests } from '../../kernel/threads/thread.ts';
import { type Block, BlockPrinter, type PrintedBlock, type Printing } from './block.ts';
import { GroupPrinter } from './group-printer.ts';
import { csvReader } from './place.ts';

/** The inputs of a thread that decodes blocks. */
export interface BlockThreadStart {
  /** The catalog's bytes in shared memory. */
  catalog: Uint8Array;
  printing: Printing;
}

const { catalog, printing }: BlockThreadStart = workerData;
const decoder = openCatalog(catalog);
const printer = new BlockPrinter(decoder, printing, csvReader, await GroupPrinter.of(decoder, printing));

answerRequests<Block, PrintedBlock>((block) => {
  const answer = printer.print(block);
  // Frees its memory at once: as garbage it would stay for long.
  if (block.kind === 'csv') block.piece.bytes.buffer.transfer(0);
  return { answer, transfer: [answer.bytes.buffer, ...(answer.ends === undefined ? [] : [answer.ends.buffer])] };
});
