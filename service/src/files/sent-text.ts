import { decodeSteps, encodingSteps } from '@marque/catalog/tables';

import { type NextTurn, takeSteps } from '../kernel/limits/loop-turns.ts';

/**
 * Returns the text of a file, without the mark at its beginning; refused where its encoding is not clear.
 *
 * @param asked the encoding that its sender named; empty: none.
 * @param turn waits for the turn of each step: guessing the encoding takes up to a tenth of a second.
 */
export async function textOf(
  bytes: Uint8Array,
  asked: string,
  turn: NextTurn,
): Promise<{ kind: 'text'; text: string; encoding: string } | { kind: 'refused'; message: string }> {
  const found = await takeSteps(encodingSteps(bytes, asked), turn);
  if (found.kind === 'unclear') return { kind: 'refused', message: found.message };
  const { encoding } = found;
  try {
    return { kind: 'text', text: found.text ?? (await takeSteps(decodeSteps(bytes, encoding), turn)), encoding };
  } catch {
    const message = `The text is not ${encoding}, although it begins so. Save it as UTF-8, and send it again.`;
    return { kind: 'refused', message };
  }
}
