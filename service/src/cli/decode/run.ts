import type { Decoder, Hints } from '@marque/decoder';

import { type Io, write } from '../io.ts';
import { type ColorChoice, paintFor } from '../paint.ts';
import { type FormatName, formatOf } from './format.ts';
import { openInput } from './input.ts';
import { type DecodeCount, decodeText, type View } from './result.ts';
import { vinColumnIn } from './vin-column.ts';

/** What `marque decode` was asked for: VINs, or a file of them (`-`: standard input). */
export interface DecodeOrder {
  vins: readonly string[];
  file: string | undefined;
  /** Column of VINs; undefined: the one of the file that is named so, or a VIN a line. */
  column?: string | undefined;
  /** Undefined: the rows of a CSV file with columns added, anything else as a table. */
  format?: FormatName | undefined;
  explain: boolean;
  /** Print what the VIN leaves open, and use these hints. */
  candidates?: Hints | undefined;
  /** Default: auto. */
  color?: ColorChoice;
}

type Batches = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/** Text is written in pieces of about this many characters: one system call for many short lines. */
const PIECE_CHARACTERS = 65_536;

/**
 * Decodes each input in order and writes the results as they come. Memory does not grow with the input.
 *
 * @throws CommandError when the file cannot be read, or has no such column.
 */
export async function runDecode(decoder: Decoder, order: DecodeOrder, io: Io): Promise<DecodeCount> {
  const { file, vins } = order;
  if (file === undefined) return printAll(decoder, [vins], order, io);
  const input = await openInput(file, io);
  try {
    const column = order.column ?? vinColumnIn(input.beginning);
    if (column === undefined) {
      const { linesOf } = await import('./lines.ts');
      return await printAll(
        decoder,
        linesOf(input.chunks, (bytes) => input.progress.advance(bytes)),
        order,
        io,
      );
    }
    if (order.column === undefined)
      await write(io.stderr, `The file is CSV; its VINs are read from the column ${column}.\n`);
    // Loaded here: a VIN on the command line needs no CSV parser.
    const { decodeColumn, vinsOfColumn } = await import('./column.ts');
    const keepsRows = !order.explain && (order.format ?? 'csv') === 'csv';
    return keepsRows
      ? await decodeColumn(decoder, input, { column, candidates: order.candidates }, io)
      : await printAll(decoder, vinsOfColumn(input, column), order, io);
  } finally {
    input.progress.stop();
  }
}

async function printAll(decoder: Decoder, batches: Batches, order: DecodeOrder, io: Io): Promise<DecodeCount> {
  const single = order.file === undefined && order.vins.length === 1;
  const format = formatOf(
    order.format ?? 'table',
    { single, explain: order.explain },
    paintFor(order.color ?? 'auto', io.stdout, io.env),
    io.stdout.isTTY === true ? io.stdout.columns : undefined,
  );
  const view = viewOf(order);
  const count = { decoded: 0, refused: 0 };
  let piece = format.begin;
  let isFirst = true;
  for await (const texts of batches) {
    for (const text of texts) {
      const result = decodeText(decoder, text, view, order.candidates);
      count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
      piece += (isFirst ? '' : format.between) + format.textOf(result);
      isFirst = false;
      if (piece.length < PIECE_CHARACTERS) continue;
      await write(io.stdout, piece);
      piece = '';
    }
  }
  await write(io.stdout, piece + format.end);
  return count;
}

function viewOf({ format, explain, candidates }: DecodeOrder): View {
  if (format === 'vpic') return 'vpic';
  if (candidates !== undefined) return 'candidates';
  return explain ? 'explanation' : 'report';
}
