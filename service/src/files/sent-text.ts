import { decodeText, encodingOf } from '@marque/catalog/tables';

/**
 * Returns the text of a file, without the mark at its beginning; refused where its encoding is not clear.
 *
 * @param asked the encoding that its sender named; empty: none.
 */
export function textOf(
  bytes: Uint8Array,
  asked: string,
): { kind: 'text'; text: string; encoding: string } | { kind: 'refused'; message: string } {
  const found = encodingOf(bytes, asked);
  if (found.kind === 'unclear') return { kind: 'refused', message: found.message };
  const { encoding } = found;
  try {
    return { kind: 'text', text: found.text ?? decodeText(bytes, encoding), encoding };
  } catch {
    const message = `The text is not ${encoding}, although it begins so. Save it as UTF-8, and send it again.`;
    return { kind: 'refused', message };
  }
}
