import type { Decoder } from './decoder.ts';
import { CatalogFormatError } from './catalog/container.ts';
import { isCompressed } from './catalog/files.ts';
import { refuseChangedOnWeb } from './catalog/seal.ts';
import { openCatalog, type OpenOptions } from './open.ts';

/** Options of `fetchCatalog`. */
export interface FetchOptions extends OpenOptions {
  /** Ends the download early. */
  signal?: AbortSignal | undefined;
  /** Fetches the catalog. Default: the global `fetch`. */
  fetch?: ((url: string | URL, init: { signal?: AbortSignal }) => Promise<Response>) | undefined;
}

/** The catalog cannot be fetched from the given address. */
export class CatalogUnreachableError extends Error {
  override name = 'CatalogUnreachableError';
}

/**
 * Fetches a catalog and opens it: in a browser, a worker, or anywhere with `fetch`. It may be compressed with gzip.
 *
 * @throws CatalogUnreachableError when there is no catalog at the address.
 * @throws CatalogFormatError when the content is not a catalog, is cut short, or was changed. The last is unchecked with
 *   `verify: false`, and on a page that came over http, where there is no Web Crypto API.
 */
export async function fetchCatalog(url: string | URL, options: FetchOptions = {}): Promise<Decoder> {
  const { signal, fetch: fetchIt = fetch, verify = true, ...open } = options;
  const response = await fetchIt(url, signal === undefined ? {} : { signal });
  if (!response.ok) throw new CatalogUnreachableError(`${String(url)} answered with status ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Some servers send a .gz with Content-Encoding: it is expanded on arrival, so the bytes decide, not the name.
  const catalog = isCompressed(bytes) ? await expandAsStream(bytes) : bytes;
  if (verify) await refuseChangedOnWeb(catalog);
  return openCatalog(catalog, open);
}

async function expandAsStream(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const expanded = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(expanded).arrayBuffer());
  } catch (cause) {
    throw new CatalogFormatError('The compressed catalog is damaged or cut short.', { cause });
  }
}
