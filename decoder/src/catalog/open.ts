import { readFileSync } from 'node:fs';

import type { Decoder } from '../decode/decoder.ts';
import { MarqueDecoder } from '../decode/marque-decoder.ts';
import { Container } from './container.ts';

/** What a decoder may be told beside its catalog. */
export interface OpenOptions {
  /** The clock: model years end two years ahead of it. Default: the system's. */
  now?: () => Date;
}

/**
 * Opens a catalog from its path or its bytes. Takes milliseconds: nothing is parsed, only wrapped.
 *
 * @throws CatalogFormatError when it is no catalog, of another format version, or cut short.
 */
export function openCatalog(file: string | URL | Uint8Array, options: OpenOptions = {}): Decoder {
  const bytes = file instanceof Uint8Array ? file : readFileSync(file);
  const now = options.now ?? ((): Date => new Date());
  return new MarqueDecoder(new Container(bytes), bytes.length, () => now().getUTCFullYear());
}
