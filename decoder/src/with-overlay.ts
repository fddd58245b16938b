import { CatalogFormatError, Container } from './catalog/container.ts';
import { expand, isCompressed } from './catalog/files.ts';
import type { Decoder } from './decoder.ts';
import { MarqueDecoder } from './marque-decoder.ts';

/** The name of an overlay in its metadata. */
export const OVERLAY = 'overlay';

/**
 * Returns a decoder that also knows the rows of an overlay, as `marque catalog learn` and `marque catalog import
 * learned` make it of an operator's labeled cars. They answer where the catalog leaves something open, and overrule
 * nothing. The decoder that is given stays as it is, and both share its memory.
 *
 * @param overlay its bytes, or these compressed with gzip
 * @throws CatalogFormatError when it is not an overlay, RangeError when the decoder is not one that `openCatalog` gave.
 */
export function withOverlay(decoder: Decoder, overlay: Uint8Array): Decoder {
  if (!(decoder instanceof MarqueDecoder)) throw new RangeError('withOverlay takes a decoder that openCatalog gave.');
  const container = new Container(isCompressed(overlay) ? expand(overlay) : overlay);
  if (container.meta['kind'] !== OVERLAY) throw new CatalogFormatError('This is a whole catalog, no overlay.');
  return decoder.overlaid(container);
}
