/**
 * Returns the address of the published package's catalog, compressed with gzip: a file for `openCatalog` in Node, an
 * address for `fetchCatalog` in a browser. Bundlers that know `new URL(…, import.meta.url)` bring the file along.
 */
export function packagedCatalog(): URL {
  return new URL('../../catalog/marque.catalog.gz', import.meta.url);
}
