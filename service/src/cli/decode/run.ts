import type { Decoder } from '@marque/decoder';

import { type Io, write } from '../io.ts';
import { type ColorChoice, paintFor } from '../paint.ts';
import { type FormatName, formatOf } from './format.ts';
import { openInput } from './input.ts';
import { linesOf } from './lines.ts';
import { decodeText, type View } from './result.ts';

/** What `marque decode` was asked for: VINs, or a file with one VIN a line (`-`: standard input). */
export interface DecodeOrder {
  vins: readonly string[];
  file: string | undefined;
  format: FormatName;
  explain: boolean;
  /** Default: auto. */
  color?: ColorChoice;
}

/** Text is written in pieces of about this many characters: one system call for many short lines. */
const PIECE_CHARACTERS = 65_536;

/**
 * Decodes each input in order and writes the results as they come. Memory does not grow with the input.
 *
 * @returns how many were decoded, and how many were no VIN.
 * @throws CommandFailure when the file cannot be read.
 */
export async function runDecode(
  decoder: Decoder,
  order: DecodeOrder,
  io: Io,
): Promise<{ decoded: number; refused: number }> {
  const format = formatOf(
    order.format,
    order.file === undefined && order.vins.length === 1,
    paintFor(order.color ?? 'auto', io.stdout, io.env),
  );
  const input = await inputOf(order, io);
  const view = viewOf(order);
  const count = { decoded: 0, refused: 0 };
  let piece = format.begin;
  let isFirst = true;
  try {
    for await (const texts of input.batches) {
      for (const text of texts) {
        const result = decodeText(decoder, text, view);
        count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
        piece += (isFirst ? '' : format.between) + format.textOf(result);
        isFirst = false;
        if (piece.length < PIECE_CHARACTERS) continue;
        await write(io.stdout, piece);
        piece = '';
      }
    }
    await write(io.stdout, piece + format.end);
  } finally {
    input.stop();
  }
  return count;
}

function viewOf({ format, explain }: DecodeOrder): View {
  if (format === 'vpic') return 'vpic';
  return explain ? 'explanation' : 'report';
}

async function inputOf(
  { file, vins }: DecodeOrder,
  io: Io,
): Promise<{ batches: Iterable<readonly string[]> | AsyncIterable<readonly string[]>; stop: () => void }> {
  if (file === undefined) return { batches: [vins], stop: () => undefined };
  const { chunks, progress } = await openInput(file, io);
  return { batches: linesOf(chunks, (bytes) => progress.advance(bytes)), stop: () => progress.stop() };
}
