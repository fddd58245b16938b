import type { Decoder } from './decoder.ts';
import { MarqueDecoder } from './marque-decoder.ts';
import { Container } from './catalog/container.ts';
import { expand, isCompressed, readCatalogFile, sha256 } from './catalog/files.ts';
import { refuseChanged } from './catalog/seal.ts';

/** Options of a decoder, besides its catalog. */
export interface OpenOptions {
  /** The clock, in milliseconds since 1970: model years end two years ahead of it. Default: the system's. */
  now?: (() => number) | undefined;
  /**
   * Checks that the bytes are those that the catalog was built with, in some seven milliseconds. Default: false. What
   * was compressed is always checked, as `gzip` does.
   */
  verify?: boolean | undefined;
}

/**
 * Opens a catalog from its path or its bytes. Takes milliseconds: nothing is parsed, only wrapped. One that is
 * compressed with gzip, as in the published package, is expanded first, which takes some fifty.
 *
 * Paths and compressed catalogs need Node, Deno or Bun; in a browser use `fetchCatalog`.
 * @throws CatalogFormatError when it is not a catalog, has another format version, is truncated, or was changed and
 *   is verified.
 */
export function openCatalog(file: string | URL | Uint8Array, options: OpenOptions = {}): Decoder {
  const found = file instanceof Uint8Array ? file : readCatalogFile(file);
  const bytes = isCompressed(found) ? expand(found) : found;
  if (options.verify === true) refuseChanged(bytes, sha256);
  return new MarqueDecoder(new Container(bytes), bytes.length, yearClock(options.now ?? Date.now));
}

/** Gives the year in UTC without creating a Date for every VIN. */
function yearClock(now: () => number): () => number {
  let year = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now();
    if (time < from || time >= to) {
      year = new Date(time).getUTCFullYear();
      from = Date.UTC(year, 0);
      to = Date.UTC(year + 1, 0);
    }
    return year;
  };
}
